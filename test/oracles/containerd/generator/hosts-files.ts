/** hosts.toml files: what they say, and the ways of TOML to say it. */

import fc from 'fast-check';
import { oddSettings, type Setting, settings } from './settings.ts';
import { type HostUrl, oddUrls, urls } from './urls.ts';

/** A text and the rows that it is an example of. */
export interface GeneratedFile {
  readonly text: string;
  readonly rows: readonly string[];
}

interface HostTable {
  readonly host: HostUrl;
  readonly items: readonly Setting[];
}

interface Parts {
  readonly server: HostUrl | undefined;
  readonly root: readonly Setting[];
  readonly hosts: readonly HostTable[];
  readonly hasEmptyHost: boolean;
}

function partsOf(
  url: fc.Arbitrary<HostUrl>,
  items: fc.Arbitrary<readonly Setting[]>,
): fc.Arbitrary<Parts> {
  return fc
    .record({
      server: fc.option(url, { nil: undefined }),
      root: fc.oneof(fc.constant([]), items),
      hosts: fc.uniqueArray(fc.record({ host: url, items }), {
        selector: ({ host }) => host.url,
        maxLength: 3,
      }),
      hasEmptyHost: fc.boolean(),
    })
    .map(({ root, hosts, ...rest }) => ({
      ...rest,
      root: withoutIdleFlag(rest.server, root),
      hosts: hosts.map(({ host, items: inner }) => ({
        host,
        items: withoutIdleFlag(host, inner),
      })),
    }));
}

/** `skip_verify = false` says something for http only; elsewhere it would be a setting that no request shows. */
function withoutIdleFlag(host: HostUrl | undefined, items: readonly Setting[]): readonly Setting[] {
  if (host?.url.startsWith('http://') === true) return items;
  return items.filter(({ row }) => row !== 'skip_verify/false');
}

/** How a file is written: the usual way, or one of those that TOML readers disagree about. */
const styles: Readonly<Record<string, (parts: Parts) => string>> = {
  usual: (parts) => usual(parts),
  'toml/crlf': (parts) => usual(parts).replaceAll('\n', '\r\n'),
  'toml/single-quotes': (parts) => usual(parts).replaceAll('"', "'"),
  'toml/bom': (parts) => `\uFEFF${usual(parts)}`,
  'toml/inline-host': (parts) => head(parts) + inlineHosts(parts),
  'toml/dotted-host': (parts) => head(parts) + dottedHosts(parts),
  'toml/reopened': (parts) => `${usual(parts)}${reopened(parts)}`,
  'toml/plain-key-under-host': (parts) => `${head(parts)}[host]\nx = 1\n${tables(parts)}`,
  'toml/unquoted-host': (parts) => `${usual(parts)}[host.a.example]\nskip_verify = true\n`,
  'toml/array-of-tables': (parts) => `${head(parts)}[[host]]\n${tables(parts)}`,
  'toml/duplicate-table': (parts) => usual(parts) + tables(parts),
  'toml/server-below-host': (parts) => `${tables(parts)}server = "https://b.example"\n`,
  'read/not-parseable': (parts) => `${usual(parts)}= nothing\n`,
  'read/zero-bytes': () => '',
};

const style = fc.oneof(
  { weight: 4, arbitrary: fc.constant('usual') },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(styles)) },
);

function written(parts: fc.Arbitrary<Parts>, how: fc.Arbitrary<string>) {
  return fc.tuple(parts, how).map(
    ([items, name]): GeneratedFile => ({
      text: (styles[name] ?? usual)(items),
      rows: [...rowsOf(items), ...(name === 'usual' ? [] : [name])],
    }),
  );
}

/** Mirrors as people write them, one in five in an odd spelling. */
export const hostsFile: fc.Arbitrary<GeneratedFile> = written(partsOf(urls, settings), style);

/** The same hosts with settings of which half are wrong. */
export const wrongHostsFile: fc.Arbitrary<GeneratedFile> = written(
  partsOf(urls, oddSettings),
  style,
);

/** Everything that may stand in such a file, right and wrong. */
export const oddHostsFile: fc.Arbitrary<GeneratedFile> = written(
  partsOf(oddUrls, oddSettings),
  style,
);

function usual(parts: Parts): string {
  return head(parts) + (parts.hasEmptyHost ? '[host]\n' : '') + tables(parts);
}

function head({ server, root }: Parts): string {
  return (server === undefined ? '' : `server = ${quoted(server)}\n`) + lines(root);
}

function tables({ hosts }: Parts): string {
  return hosts.map(({ host, items }) => `[host.${quoted(host)}]\n${lines(items)}`).join('');
}

/** One only: 1.x sorts by line, so that of several in one line any may come first. */
function inlineHosts({ hosts }: Parts): string {
  const items = hosts
    .slice(0, 1)
    .map(({ host, items: inner }) => `${quoted(host)} = ${inlineTable(inner)}`);
  return `host = { ${items.join(', ')} }\n`;
}

function inlineTable(items: readonly Setting[]): string {
  return `{ ${items.map(({ key, value }) => `${key} = ${value}`).join(', ')} }`;
}

/** The same headers and values, as dotted keys of the root. */
function dottedHosts({ hosts }: Parts): string {
  const all = hosts.flatMap(({ host, items }) =>
    items.map(({ key, value }) => `host.${quoted(host)}.${key} = ${value}\n`),
  );
  return all.join('');
}

/** A table inside the first one, after all others. */
function reopened({ hosts: [first] }: Parts): string {
  return first === undefined ? '' : `[host.${quoted(first.host)}.more]\nx = 1\n`;
}

function lines(items: readonly Setting[]): string {
  return items.map(({ key, value }) => `${key} = ${value}\n`).join('');
}

function quoted({ url }: HostUrl): string {
  return JSON.stringify(url);
}

function rowsOf({ server, root, hosts, hasEmptyHost }: Parts): readonly string[] {
  const inner = hosts.flatMap(({ host, items }) => [host.row, ...items.map(({ row }) => row)]);
  return [
    ...inner,
    ...root.map(({ row }) => row),
    ...(server === undefined ? ['key/no-server'] : ['key/server', server.row]),
    ...(hosts.length > 1 ? ['entries/file-order'] : []),
    ...(hosts.length > 0 && server !== undefined ? ['entries/server-last'] : []),
    ...(hosts.length === 0 && !hasEmptyHost ? ['toml/no-host-table'] : []),
    ...(hasEmptyHost ? ['toml/empty-host-line'] : []),
    ...(root.length > 0 && server === undefined ? ['entries/root-settings-of-upstream'] : []),
    ...(root.some(({ key }) => key === 'capabilities') && server === undefined
      ? ['capabilities/root-without-server']
      : []),
    ...hosts.flatMap(combinedRows),
  ];
}

/** Rows that need a URL and a setting. */
function combinedRows({ host, items }: HostTable): readonly string[] {
  const { url } = host;
  const has = (key: string, value?: string) =>
    items.some((item) => item.key === key && (value === undefined || item.value === value));
  const isHttp = url.startsWith('http://');
  return [
    ...(isHttp && has('skip_verify', 'false') ? ['skip_verify/false-on-http'] : []),
    ...(isHttp && has('dial_timeout') ? ['dial_timeout/on-http'] : []),
    ...(has('override_path', 'true') && /example(?::\d+)?$/.test(url)
      ? ['override_path/without-path']
      : []),
    ...(has('override_path', 'true') && /example.*\/./.test(url)
      ? ['override_path/with-path']
      : []),
    ...(has('capabilities', '["resolve"]') ? ['fetch/only-resolve'] : []),
  ];
}
