import type { RuntimeName } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import { fileFacts } from './file-facts.ts';

/**
 * The runtimes that are set up on a node: `/etc/containerd` → containerd. Where CRI-O is, the files in
 * `/etc/containers` are looked at as it reads them.
 */
export async function runtimesOn(tree: ConfigTree): Promise<readonly RuntimeName[]> {
  const found: RuntimeName[] = [];
  for (const { runtime, has, without } of fileFacts.nodes) {
    if (without !== undefined && found.includes(without)) continue;
    const entries = await Promise.all(has.map((path) => tree.read(path)));
    if (entries.some(({ kind }) => kind !== 'missing')) found.push(runtime);
  }
  return found;
}

/** The runtime in whose folder a path lies on the node itself: `/etc/docker/certs.d/x` → docker. */
export function runtimeAt(path: string): RuntimeName | undefined {
  const isInside = (place: string) => `${path}/`.startsWith(`${place}/`);
  return fileFacts.nodes.find(({ has }) => has.some(isInside))?.runtime;
}
