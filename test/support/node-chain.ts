/** Short questions to a node's rules: one chain, and the hosts in it. */
import type { ConfigTree } from '../../src/mirrors/config-tree.ts';
import type { PullChain } from '../../src/mirrors/pull-chain.ts';
import type { RuntimeId } from '../../src/site/runtime-id.ts';
import { openNode } from './open-node.ts';

/** The chain of one image on one node: `await nodePullChain(tree, containerd, 'quay.io/a:1')`. */
export async function nodePullChain(
  tree: ConfigTree,
  runtime: RuntimeId,
  reference: string,
): Promise<PullChain> {
  return (await openNode(tree, runtime)).pullChain(reference);
}

/** Every host that a pull of this chain may contact, as written, without duplicates, in order. */
export function reachableHosts(chain: PullChain): readonly string[] {
  if (chain.kind === 'refused') return [];
  const hosts = chain.endpoints.filter((endpoint) => endpoint.reachable).map(({ host }) => host);
  return [...new Set(hosts)];
}
