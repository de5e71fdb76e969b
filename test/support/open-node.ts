import type { ConfigTree } from '../../src/mirrors/config-tree.ts';
import { openRuntime } from '../../src/mirrors/open-runtime.ts';
import type { NodeRules } from '../../src/mirrors/pull-chain.ts';
import type { RuntimeId } from '../../src/site/runtime-id.ts';

/** A node in one step: `openNode(memoryTree(files), { name: 'containerd', version: '2.1.1' })`. */
export async function openNode(tree: ConfigTree, runtime: RuntimeId): Promise<NodeRules> {
  return (await openRuntime(runtime)).openNode(tree);
}
