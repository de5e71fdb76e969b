/** A node's configuration in memory, read as the real one is: only the disk is missing. */
import type { ConfigTree } from '../../src/mirrors/config-tree.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import type { NodeRules } from '../../src/mirrors/pull-chain.ts';
import { openNode } from './open-node.ts';

/** The versions that differ most in how they read their configuration. */
export type NodeVersion = '1.7.34' | '2.1.1';

/** How the node differs from one that reads `/etc/containerd/certs.d`. */
export interface MemoryNodeOptions {
  readonly version?: NodeVersion;
  /** By default the pause image of the sample Lock. */
  readonly sandbox?: string;
  /** `quay.io` → its hosts.toml. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** Further files by their full path; `/etc/containerd/config.toml` replaces the usual one. */
  readonly files?: Readonly<Record<string, string>>;
  /** More lines for the table of the registry settings. */
  readonly registrySettings?: string;
}

const certsDirectory = '/etc/containerd/certs.d';

/** `await memoryNode({ hosts: { 'quay.io': 'server = "https://h.example"\n[host]\n' } })`. */
export function memoryNode(options: MemoryNodeOptions = {}): Promise<NodeRules> {
  const { version = '2.1.1' } = options;
  return openNode(memoryNodeTree(options), { name: 'containerd', version });
}

/** The files of such a node. */
export function memoryNodeTree(options: MemoryNodeOptions = {}): ConfigTree {
  const { version = '2.1.1', hosts = {}, files = {} } = options;
  const rules = Object.entries(hosts).map(([registry, text]): [string, string] => [
    `${certsDirectory}/${registry}/hosts.toml`,
    text,
  ]);
  return memoryTree({
    '/etc/containerd/config.toml': mainConfig(version, options),
    [`${certsDirectory}/`]: '',
    ...Object.fromEntries(rules),
    ...files,
  });
}

/** A hosts.toml that leads everything to one registry and leaves no other way. */
export function onlyServer(url: string, more = ''): string {
  return `server = "${url}"\ncapabilities = ["pull", "resolve"]\n${more}\n[host]\n`;
}

function mainConfig(version: NodeVersion, options: MemoryNodeOptions): string {
  const { sandbox = 'registry.k8s.io/pause:3.9', registrySettings = '' } = options;
  const cri = version.startsWith('1.')
    ? 'io.containerd.grpc.v1.cri'
    : 'io.containerd.cri.v1.images';
  const pinned = version.startsWith('1.')
    ? `[plugins."${cri}"]\nsandbox_image = "${sandbox}"`
    : `[plugins."${cri}".pinned_images]\nsandbox = "${sandbox}"`;
  return [
    `version = ${version.startsWith('1.') ? 2 : 3}`,
    pinned,
    `[plugins."${cri}".registry]`,
    `config_path = "${certsDirectory}"`,
    registrySettings,
  ].join('\n');
}
