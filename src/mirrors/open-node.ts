import type { RuntimeId } from '../site/runtime-id.ts';
import type { ConfigTree } from './config-tree.ts';
import { openRuntime } from './open-runtime.ts';
import type { NodeRules } from './pull-chain.ts';

/**
 * Reads a node's configuration and answers, for each image, what its runtime will do to pull it.
 *
 * `openNode(directoryTree('/'), { name: 'containerd', version: '2.1.1' })` reads
 * `/etc/containerd/config.toml`, its imports, and the host directories that it names.
 * Rejects with MIRROR_RUNTIME_UNKNOWN; bad configuration is part of the answer, not an error.
 */
export async function openNode(tree: ConfigTree, runtime: RuntimeId): Promise<NodeRules> {
  return (await openRuntime(runtime)).openNode(tree);
}
