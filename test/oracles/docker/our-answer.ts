/** What src/mirrors/docker says about a node, in the shape of the Go program's answer. */

import { type DockerBehaviour, dockerBehaviourFor } from '../../../src/mirrors/docker/behaviour.ts';
import { openDockerNode, readDockerNode } from '../../../src/mirrors/docker/docker-node.ts';
import { classicEndpoints } from '../../../src/mirrors/docker/walk/classic-endpoints.ts';
import type {
  DockerEndpoint,
  EndpointsOutcome,
} from '../../../src/mirrors/docker/walk/docker-endpoint.ts';
import { storeEndpoints } from '../../../src/mirrors/docker/walk/store-endpoints.ts';
import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import type { Answer, Lookup, World } from './world.ts';

/** The data file is read once a version: it would take most of the time of thousands of nodes. */
const behaviours = new Map<string, Promise<DockerBehaviour>>();

function behaviourOf(version: string): Promise<DockerBehaviour> {
  const known = behaviours.get(version) ?? dockerBehaviourFor({ name: 'docker', version });
  behaviours.set(version, known);
  return known;
}

/** The answer of the simulator of one version. */
export async function ourAnswer(world: World, version: string): Promise<Answer> {
  const behaviour = await behaviourOf(version);
  const tree = memoryTree(filesOf(world));
  const node = await readDockerNode(tree, behaviour);
  if (node.file.faults.length > 0) {
    const chain = await (await openDockerNode(tree, behaviour)).pullChain('nginx:1');
    return { refused: chain.kind === 'refused' ? chain.error : '' };
  }
  const pulls = [];
  for (const registry of world.registries) {
    const classic = lookup(await classicEndpoints(registry, node.hosts), 'classic');
    const { outcome } = await storeEndpoints(registry, node.hosts);
    pulls.push({ classic, store: lookup(outcome, 'store') });
  }
  return { mirrors: node.hosts.mirrors.map(({ url }) => url), pulls };
}

function filesOf({ files, addresses }: World): Record<string, Uint8Array> {
  const placed = Object.entries(files).map(([path, text]): [string, Uint8Array] => [
    `/etc/docker/${path}`,
    Buffer.from(text, 'latin1'),
  ]);
  const lines = Object.entries(addresses).flatMap(([name, list]) =>
    list.map((address) => `${address} ${name}\n`),
  );
  return { ...Object.fromEntries(placed), '/etc/hosts': Buffer.from(lines.join('')) };
}

function lookup(outcome: EndpointsOutcome, store: 'classic' | 'store'): Lookup {
  if (!outcome.ok) return { error: outcome.error };
  return { endpoints: outcome.endpoints.map((endpoint) => shown(endpoint, store)) };
}

function shown(endpoint: DockerEndpoint, store: 'classic' | 'store') {
  const { base, role, capabilities, trust, httpsFirst } = endpoint;
  return {
    base,
    ...(store === 'classic' && { role }),
    pushes: capabilities.includes('push'),
    referrers: store === 'store' && capabilities.includes('referrers'),
    skipVerify: trust.skipVerify,
    ownRoots: trust.ca.length > 0,
    clients: trust.clients.length,
    httpsFirst,
  };
}
