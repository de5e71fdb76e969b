/** A node with k3s or RKE2: its options, its registries.yaml, and one chain for each image. */

import {
  containerdRegistryKey,
  parseReference,
  pullReference,
  repositoryName,
} from '../../../oci/reference.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Finding } from '../../finding.ts';
import { type FindingRules, loadFindingRules } from '../../finding-rules.ts';
import { containerdRequests } from '../../hosts-toml/walk/containerd-requests.ts';
import { answerRulesOf, wireRulesOf } from '../../hosts-toml/walk/version-rules.ts';
import type { NodeRules, PullChain, PullEndpoint, Skipped } from '../../pull-chain.ts';
import type { K3sBehaviour } from '../behaviour.ts';
import { type JudgedNode, judgeK3s } from '../lint/judge-k3s.ts';
import { k3sLogin } from './k3s-login.ts';
import { type K3sRunning, readK3sState } from './k3s-state.ts';
import { type K3sEndpoint, registryEndpoints } from './registry-endpoints.ts';
import { rewriteRepository } from './rewrite.ts';

/** Reads the node's files; the endpoints of each registry are computed once, when first needed. */
export async function openK3sNode(
  tree: ConfigTree,
  behaviour: K3sBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<NodeRules> {
  const state = await readK3sState(tree, behaviour);
  const judged = await judgeK3s({ tree, state, behaviour }, levels);
  const runtime = { name: behaviour.program, version: behaviour.version };
  const wire = wireRulesOf(behaviour.containerd);
  const pauseImage = state.settings?.pauseImage;
  return {
    runtime,
    wire,
    findings: judged.findings,
    ...(pauseImage && {
      sandboxImage: { image: pauseImage.value, origin: pauseImage.origin },
    }),
    pullChain: async (text) => {
      const image = imageOf(text, runtime);
      const findings = judged.findingsFor(image.registry);
      if (state.kind === 'refused') {
        const { error, origin } = state;
        return { kind: 'refused', scope: 'node', ...image, error, origin, findings, skipped: [] };
      }
      return chainOf(image, state, { behaviour, judged });
    },
  };
}

type Image = Pick<PullChain, 'runtime' | 'reference' | 'registry' | 'repository'>;

function imageOf(text: string, runtime: PullChain['runtime']): Image {
  const reference = pullReference(parseReference(text));
  const registry = containerdRegistryKey(reference);
  const repository = repositoryName(reference).slice(registry.length + 1);
  return { runtime, reference, registry, repository };
}

async function chainOf(
  image: Image,
  running: K3sRunning,
  { behaviour, judged }: { readonly behaviour: K3sBehaviour; readonly judged: JudgedNode },
): Promise<PullChain> {
  const found = await registryEndpoints(running, image.registry, behaviour);
  const findings = judged.findingsFor(image.registry);
  const skipped = skippedIn(findings);
  if (found.kind === 'failed') {
    const { error, origin } = found;
    return { kind: 'refused', scope: 'registry', ...image, error, origin, findings, skipped };
  }
  const endpoints = found.endpoints.map((one) => endpointFor(one, image, running, behaviour));
  const answers = answerRulesOf(behaviour.containerd);
  return {
    kind: 'endpoints',
    ...image,
    findings: [...findings, ...judged.rewriteFindings(image)],
    skipped,
    endpoints,
    requests: containerdRequests({ reference: image.reference, endpoints, answers }),
    wire: wireRulesOf(behaviour.containerd),
  };
}

function endpointFor(
  { endpoint, rewrites }: K3sEndpoint,
  { repository }: Image,
  running: K3sRunning,
  behaviour: K3sBehaviour,
): PullEndpoint {
  const { registriesPath } = running.settings;
  const login = k3sLogin(running.file.registries, endpoint.host, behaviour, registriesPath);
  return {
    ...endpoint,
    repository: rewriteRepository(rewrites, repository).repository,
    ...(login && { login }),
  };
}

/** What stands in the file and has no effect. */
function skippedIn(findings: readonly Finding[]): readonly Skipped[] {
  return findings
    .filter(({ rule }) => rule === 'K001' || rule === 'C009')
    .map(({ origin, message }) => ({ origin, because: message }));
}
