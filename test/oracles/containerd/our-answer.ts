/** The simulator's answer to one case: its requests against the same world, in the same shape. */

import { containerdRules } from '../../../src/mirrors/containerd/containerd-rules.ts';
import { containerdBehaviourFor } from '../../../src/mirrors/containerd-version/behaviour.ts';
import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import type { PullEndpoint } from '../../../src/mirrors/pull-chain.ts';
import type { OpenChain, PullWalk } from '../../../src/mirrors/pull-walk.ts';
import type { RuntimeRules } from '../../../src/mirrors/runtime-rules.ts';
import { Digest } from '../../../src/oci/digest.ts';
import type { PullAnswer, PullStep } from './answers.ts';
import type { LineCase } from './line-case.ts';
import type { Line } from './lines.ts';
import { type Content, WorldServer } from './world/world.ts';
import { WorldClient } from './world/world-client.ts';

/** The simulator of one line. */
export async function openLine({ version }: Pick<Line, 'version'>): Promise<RuntimeRules> {
  return containerdRules(await containerdBehaviourFor({ name: 'containerd', version }));
}

/** `runtime` is that of {@link openLine}. */
export async function ourAnswer(one: LineCase, runtime: RuntimeRules): Promise<PullAnswer> {
  const node = await runtime.openNode(memoryTree(one.files));
  const chain = await node.pullChain(one.reference);
  if (chain.kind === 'refused') {
    return { refused: chain.error };
  }
  return { endpoints: chain.endpoints.map(shownEndpoint), steps: stepsOf(chain, one) };
}

function shownEndpoint({ base, capabilities }: PullEndpoint) {
  return { base, capabilities: capabilities.filter((name) => name !== 'referrers') };
}

/** Resolves the name and fetches the manifest and what it lists, until something fails. */
function stepsOf(chain: OpenChain, { world }: LineCase): readonly PullStep[] {
  const server = new WorldServer(world);
  const resolving = new WorldClient(server, chain);
  const steps = [stepOf('resolve', chain.requests.resolve(chain.reference), resolving)];
  const fetching = new WorldClient(server, chain);
  for (const content of world.contents) {
    if (steps.at(-1)?.error !== undefined) break;
    steps.push(stepOf(content.what, fetchOf(chain, content), fetching));
  }
  return [...steps, pushStep(chain, world.contents, new WorldClient(server, chain))];
}

/** Of a push only the requests are compared. */
function pushStep(chain: OpenChain, contents: readonly Content[], client: WorldClient): PullStep {
  const last = contents.at(-1)?.digest ?? '';
  const { requests } = stepOf('push', chain.requests.push(Digest.parse(last)), client);
  return { what: 'push', requests };
}

function fetchOf(chain: OpenChain, { what, digest }: Content): PullWalk {
  const kind = what === 'manifest' ? 'manifests' : 'blobs';
  return chain.requests.fetch({ digest: Digest.parse(digest), kind, urls: [] });
}

function stepOf(what: PullStep['what'], walk: PullWalk, client: WorldClient): PullStep {
  let step = walk.next();
  while (step.done !== true) step = walk.next(client.send(step.value));
  const requests = client.take();
  return step.value.kind === 'served'
    ? { what, requests }
    : { what, requests, error: step.value.error };
}
