/**
 * The files that Talos writes for its containerd, byte for byte.
 * Source: siderolabs/talos internal/pkg/containers/cri/containerd/hosts.go, GenerateHosts.
 */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { upstreamHost } from '../../../oci/docker-hub.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import { tomlKey, tomlText } from '../../go/toml/go-toml-text.ts';
import { EVERY_OTHER } from '../../mirror-rule.ts';
import type { HostTls, Mirror, Registries } from '../read/registries.ts';

/** Where the files stand on a node. */
export const HOSTS_FOLDER = '/etc/cri/conf.d/hosts';

/** Paths below {@link HOSTS_FOLDER} with their text, or why nothing is written. */
export type GeneratedHosts =
  | { readonly ok: true; readonly files: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly error: string };

/** `some.host:123` → `some.host_123_`, `*` → `_default`. Source: hosts.go, hostDirectory. */
function hostDirectory(name: string): string {
  if (name === EVERY_OTHER) return '_default';
  const colon = name.lastIndexOf(':');
  return colon > 0 ? `${name.slice(0, colon)}_${name.slice(colon + 1)}_` : name;
}

/** A folder for each mirror, and one for each host that has nothing but trust. */
export function generateHosts(registries: Pick<Registries, 'mirrors' | 'tls'>): GeneratedHosts {
  const files = new Map<string, string>();
  const folders = new Set<string>();
  for (const mirror of registries.mirrors.values()) {
    const folder = hostDirectory(mirror.name);
    folders.add(folder);
    const bad = mirrorFiles(mirror, { folder, tls: registries.tls, files });
    if (bad !== undefined) return { ok: false, error: bad };
  }
  for (const [name, tls] of registries.tls) {
    const folder = hostDirectory(name);
    if (folders.has(folder) || isEmpty(tls)) continue;
    if (name === EVERY_OTHER) {
      return { ok: false, error: 'wildcard host TLS configuration is not supported' };
    }
    folders.add(folder);
    const settings = tlsLines(name, { folder, tls: registries.tls, files });
    const server = `server = ${tomlText(`https://${upstreamHost(name)}`)}`;
    files.set(`${folder}/hosts.toml`, lines([server, ...settings]));
  }
  return { ok: true, files };
}

interface FolderContext {
  readonly folder: string;
  readonly tls: Registries['tls'];
  readonly files: Map<string, string>;
}

/** `skipFallback` makes the last endpoint the server, which is the only way to leave the registry out. */
function mirrorFiles(mirror: Mirror, context: FolderContext): string | undefined {
  const entries: { readonly url: string; readonly settings: readonly string[] }[] = [];
  for (const { url, overridePath } of mirror.endpoints) {
    const parsed = parseGoUrl(url);
    if (!parsed.ok) {
      // Talos prints its struct of the endpoint with the verb for text.
      const shown = `{${quoteGo(url)} %!q(bool=${overridePath})}`;
      return `error parsing endpoint ${shown} for host ${quoteGo(mirror.name)}: ${parsed.reason}`;
    }
    const settings = [
      "capabilities = ['pull', 'resolve']",
      ...(overridePath ? ['override_path = true'] : []),
      ...tlsLines(parsed.url.host, context),
    ];
    entries.push({ url, settings });
  }
  const root = mirror.skipFallback ? entries.pop() : undefined;
  const rootLines = root === undefined ? [] : [`server = ${tomlText(root.url)}`, ...root.settings];
  const hostLines = entries.flatMap(({ url, settings }) => [
    `  [host.${tomlKey(url)}]`,
    ...settings.map((line) => `    ${line}`),
  ]);
  const header = hostLines.length > 0 ? ['[host]'] : [];
  context.files.set(`${context.folder}/hosts.toml`, lines([...rootLines, ...header, ...hostLines]));
  return undefined;
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

function isEmpty({ ca, client, skipVerify }: HostTls): boolean {
  return ca === undefined && client === undefined && !skipVerify;
}

/** The settings of a host's trust; its PEM texts become files beside hosts.toml. */
function tlsLines(host: string, { folder, tls, files }: FolderContext): readonly string[] {
  const found = tls.get(host);
  if (found === undefined) return [];
  const { ca, client, skipVerify } = found;
  const place = (name: string) => tomlText(`${HOSTS_FOLDER}/${folder}/${name}`);
  const settings: string[] = [];
  if (ca !== undefined) {
    files.set(`${folder}/${host}-ca.crt`, ca);
    settings.push(`ca = ${place(`${host}-ca.crt`)}`);
  }
  if (client !== undefined) {
    const names = [`${host}-client.crt`, `${host}-client.key`] as const;
    files.set(`${folder}/${names[0]}`, client.certificate);
    files.set(`${folder}/${names[1]}`, client.key);
    settings.push(`client = [[${place(names[0])}, ${place(names[1])}]]`);
  }
  return skipVerify ? [...settings, 'skip_verify = true'] : settings;
}
