/** One host table (or the root) of a hosts.toml as containerd understands it. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import { tomlPosition } from '../../../documents/toml-places.ts';
import type { TomlScan } from '../../../documents/toml-scan.ts';
import { type GoUrl, parseGoUrl } from '../../../oci/go-url/parse.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Origin } from '../../finding.ts';
import { parseGoDuration } from '../../go/go-duration.ts';
import { absolutePath, cleanPath } from '../../go/go-path.ts';
import type { Capability } from '../../pull-chain.ts';
import { BadHostsFile, fieldOf, type HostsSource } from './hosts-types.ts';

/** A table as read: nothing is filled in yet but capabilities. Paths of files are absolute. */
export interface HostEntry {
  /** The URL as the file has it; empty for a root without a server. */
  readonly written: string;
  /** Where its settings stand: `['host', 'https://m']`, or `[]` for the root. */
  readonly table: readonly string[];
  /** Empty when the root names no server, or when the URL has no host. */
  readonly host: string;
  readonly scheme: string;
  readonly path: string;
  readonly url?: GoUrl;
  readonly overridePath: boolean;
  readonly capabilities: readonly Capability[];
  readonly ca?: readonly string[];
  /** Certificate and key; an empty key is in the certificate's file. */
  readonly clients?: ReadonlyArray<readonly [certificate: string, key: string]>;
  readonly skipVerify?: boolean;
  readonly header: ReadonlyMap<string, readonly string[]>;
  readonly dialTimeoutMs?: number;
  /** Of its header, or of the server key; empty where nothing is written. */
  readonly place: Pick<Origin, 'line' | 'column'>;
}

/** Where an entry is read from, and by whom. */
export interface EntryContext {
  readonly source: HostsSource;
  readonly scan: TomlScan;
  readonly behaviour: ContainerdBehaviour;
}

/** Reads a table; `url` is its header's URL or the root's server. Throws {@link BadHostsFile}. */
export function readHostEntry(
  url: string,
  table: TomlTable,
  path: readonly string[],
  context: EntryContext,
): HostEntry {
  const isStrict = context.behaviour.has('go-toml-2');
  const read = (key: string) => fieldOf(table, key, isStrict);
  const fail = (message: string, key: string): never => {
    throw new BadHostsFile(message, [...path, key]);
  };
  const { folder } = context.source;
  const overridePath = read('override_path') === true;
  return {
    written: url,
    table: path,
    overridePath,
    ...readAddress(url, overridePath, path),
    capabilities: readCapabilities(read('capabilities'), context.behaviour, fail),
    ...optional('ca', readFiles(read('ca'), folder, fail)),
    ...optional('clients', readClients(read('client'), folder, fail)),
    ...optional('skipVerify', asFlag(read('skip_verify'))),
    header: readHeader(read('header'), fail),
    ...optional('dialTimeoutMs', readTimeout(read('dial_timeout'), context.behaviour, fail)),
    place: tomlPosition(context.scan, path.length === 0 ? ['server'] : path),
  };
}

type Fail = (message: string, key: string) => never;

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  // The computed key is K, which TypeScript widens to string.
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}

function asFlag(value: TomlValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readAddress(text: string, overridePath: boolean, path: readonly string[]) {
  if (text === '') return { host: '', scheme: '', path: '' };
  const parsed = parseGoUrl(text.startsWith('http') ? text : `https://${text}`);
  if (!parsed.ok) throw new BadHostsFile(parsed.reason, path.length === 0 ? ['server'] : path);
  const { url } = parsed;
  const clean = url.path === '' ? '' : cleanPath(url.path);
  const needsVersion = !overridePath && !clean.endsWith('/v2');
  return { host: url.host, scheme: url.scheme, path: needsVersion ? `${clean}/v2` : clean, url };
}

/** All capabilities that the version knows; granted where a file names none. */
export function allCapabilities(behaviour: ContainerdBehaviour): readonly Capability[] {
  const common: readonly Capability[] = ['pull', 'resolve', 'push'];
  return behaviour.has('referrers-capability') ? [...common, 'referrers'] : common;
}

function readCapabilities(
  value: TomlValue | undefined,
  behaviour: ContainerdBehaviour,
  fail: Fail,
): readonly Capability[] {
  const known = allCapabilities(behaviour);
  if (!Array.isArray(value) || value.length === 0) return known;
  const words = value.map((word) => String(word));
  const unknown = words.find((word) => !known.some((name) => name === word.toLowerCase()));
  if (unknown !== undefined) fail(`unknown capability ${JSON.stringify(unknown)}`, 'capabilities');
  return known.filter((name) => words.some((word) => word.toLowerCase() === name));
}

function readFiles(value: TomlValue | undefined, folder: string, fail: Fail) {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return [absolutePath(value, folder)];
  if (!Array.isArray(value)) return fail('ca is neither text nor a list of text', 'ca');
  return texts(value, () => fail('ca is not a list of text', 'ca')).map((path) =>
    absolutePath(path, folder),
  );
}

function readClients(value: TomlValue | undefined, folder: string, fail: Fail) {
  if (value === undefined) return undefined;
  const wrong = () => fail('client is neither text, nor a list of text or pairs', 'client');
  if (typeof value !== 'string' && !Array.isArray(value)) return wrong();
  const items: readonly TomlValue[] = typeof value === 'string' ? [value] : value;
  // Unlike an empty list of authorities, an empty one of clients counts as not set.
  if (items.length === 0) return undefined;
  return items.map((item): readonly [string, string] => {
    if (typeof item === 'string') return [absolutePath(item, folder), ''];
    if (!Array.isArray(item)) return wrong();
    const pair = texts(item, wrong).map((path) => absolutePath(path, folder));
    const [certificate, key] = pair;
    if (pair.length !== 2 || certificate === undefined || key === undefined) {
      return fail('client has a pair that is not two files', 'client');
    }
    return [certificate, key];
  });
}

function readHeader(
  value: TomlValue | undefined,
  fail: Fail,
): ReadonlyMap<string, readonly string[]> {
  const entries = isTomlTable(value) ? Object.entries(value) : [];
  return new Map(
    entries.map(([name, item]) => {
      if (typeof item === 'string') return [name, [item]];
      const wrong = () => fail(`the header ${name} is neither text nor a list of text`, 'header');
      return [name, Array.isArray(item) ? texts(item, wrong) : wrong()];
    }),
  );
}

function texts(values: readonly TomlValue[], wrong: () => never): readonly string[] {
  return values.map((value) => (typeof value === 'string' ? value : wrong()));
}

function readTimeout(value: TomlValue | undefined, behaviour: ContainerdBehaviour, fail: Fail) {
  if (!behaviour.has('dial-timeout') || typeof value !== 'string' || value === '') return undefined;
  const ms = parseGoDuration(value);
  return (
    ms ?? fail(`dial_timeout ${JSON.stringify(value)} is no duration such as "3s"`, 'dial_timeout')
  );
}
