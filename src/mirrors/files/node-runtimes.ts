import type { RuntimeName } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { FileFacts } from './file-facts.ts';

/**
 * The runtimes that are set up on a node: `/etc/containerd` → containerd. Where CRI-O is, the files in
 * `/etc/containers` are looked at as it reads them.
 */
export async function runtimesOn(
  tree: ConfigTree,
  { nodes }: FileFacts,
): Promise<readonly RuntimeName[]> {
  const found: RuntimeName[] = [];
  for (const { runtime, has, without } of nodes) {
    if (without !== undefined && found.includes(without)) continue;
    const entries = await Promise.all(has.map((path) => tree.read(path)));
    if (entries.some(({ kind }) => kind !== 'missing')) found.push(runtime);
  }
  return found;
}

/** The runtime in whose folder a path lies on the node itself: `/etc/docker/certs.d/x` → docker. */
export function runtimeAt(path: string, { nodes }: FileFacts): RuntimeName | undefined {
  const isInside = (place: string) => `${path}/`.startsWith(`${place}/`);
  return nodes.find(({ has }) => has.some(isInside))?.runtime;
}

/** What to call a file with rules of a runtime on a node that has none: docker → `daemon.json`. */
export function ruleFileOf(runtime: RuntimeName, { nodes }: FileFacts): string {
  const found = nodes.find((one) => one.runtime === runtime);
  if (found === undefined) throw new RangeError(`data/mirrors/files.yaml has no ${runtime}`);
  return found.rules;
}
