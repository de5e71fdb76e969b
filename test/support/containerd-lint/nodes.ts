/** Nodes with containerd for the cases of its lint. */

import { joinPath } from '../../../src/mirrors/go/go-path.ts';

/** Path → content. */
export type Files = Readonly<Record<string, string>>;

/** The one directory of config_path. */
export const ROOT = '/etc/containerd/certs.d';
/** The main configuration. */
export const MAIN = '/etc/containerd/config.toml';
/** CRI's table in 1.x. */
export const OLD_TABLE = 'plugins."io.containerd.grpc.v1.cri"';
/** CRI's table of images in 2.x. */
export const NEW_TABLE = 'plugins."io.containerd.cri.v1.images"';
/** A main configuration with these lines for the registry, by default with config_path. */
export function mainFor(version: string, ...lines: readonly string[]): string {
  const isOld = version.startsWith('1.');
  const registry = `[${isOld ? OLD_TABLE : NEW_TABLE}.registry]`;
  const path = `config_path = "${ROOT}"`;
  return [
    `version = ${isOld ? 2 : 3}`,
    registry,
    ...(lines.length === 0 ? [path] : lines),
    '',
  ].join('\n');
}

/** A node of 2.1.1 with these files in the folder of a registry. */
export function node(registry: string, files: Files | string, main = mainFor('2.1.1')): Files {
  const named = typeof files === 'string' ? { 'hosts.toml': files } : files;
  const placed = Object.entries(named).map(([name, text]): [string, string] => [
    joinPath(ROOT, registry, name),
    text,
  ]);
  return { [MAIN]: main, ...Object.fromEntries(placed) };
}

/** The same below 1.7.31, which is the last of 1.7 that wants a [host] table. */
export function oldNode(registry: string, files: Files | string): Files {
  return node(registry, files, mainFor('1.7.31'));
}

/** A hosts.toml that names the registry itself, called REGISTRY here. */
export const SERVER = 'server = "https://REGISTRY"\n';
/** What a mirror shall be good for. */
export const ABLE = '  capabilities = ["pull", "resolve"]\n';
/** A mirror that is in order. */
export const MIRROR = `[host."https://m.example"]\n${ABLE}`;
/** The two together. */
export const GOOD = `${SERVER}\n${MIRROR}`;
/** A file that leaves the registry itself out. */
export const OFFLINE = `server = "https://m.example"\ncapabilities = ["pull", "resolve"]\n\n[host]\n`;

/** {@link GOOD} with the name of a registry. */
export function good(registry: string): string {
  return GOOD.replaceAll('REGISTRY', registry);
}

/** Further settings of a case. */
export interface CaseOptions {
  readonly version?: string;
  readonly mode?: 'online' | 'offline';
  readonly files?: Files;
}
