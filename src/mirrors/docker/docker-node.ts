/** A node with Docker: its daemon.json, its certs.d, and one chain for each image. */

import {
  containerdRegistryKey,
  parseReference,
  pullReference,
  repositoryName,
} from '../../oci/reference.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { Finding } from '../finding.ts';
import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { containerdRequests } from '../hosts-toml/walk/containerd-requests.ts';
import { answerRulesOf, wireRulesOf } from '../hosts-toml/walk/version-rules.ts';
import type { NodeRules, PullChain, WireRules } from '../pull-chain.ts';
import type { ChainRequests } from '../pull-walk.ts';
import type { DockerBehaviour } from './behaviour.ts';
import type { DaemonFault } from './lint/daemon-faults.ts';
import { daemonFindings } from './lint/daemon-findings.ts';
import { chainFindings } from './lint/registry-findings.ts';
import { DAEMON_JSON, type DaemonFile, readDaemonFile } from './read/daemon-file.ts';
import { readHostNames } from './read/host-names.ts';
import { type ImageStore, imageStoreOf } from './read/image-store.ts';
import { classicEndpoints } from './walk/classic-endpoints.ts';
import { classicRequests } from './walk/classic-requests.ts';
import { insecureBy, mirrorsOf, namedInsecureBy } from './walk/docker-endpoint.ts';
import { type StoreHosts, type StoreOutcome, storeEndpoints } from './walk/store-endpoints.ts';

/** What was read of the node, once. */
export interface DockerNode {
  readonly file: DaemonFile;
  readonly store: ImageStore;
  readonly hosts: StoreHosts;
}

/** Reads daemon.json and what decides about certificates. Never rejects for bad configuration. */
export async function readDockerNode(
  tree: ConfigTree,
  behaviour: DockerBehaviour,
): Promise<DockerNode> {
  const file = await readDaemonFile(tree, behaviour);
  const mirrors = mirrorsOf(file);
  const isInsecure = insecureBy(file.settings, await readHostNames(tree), behaviour);
  const isNamedInsecure = namedInsecureBy(file.settings);
  const insecure = file.settings['insecure-registries'];
  const hasLegacySettings = mirrors.length > 0 || insecure.length > 0;
  return {
    file,
    store: await imageStoreOf(file.settings, tree, behaviour),
    hosts: { tree, mirrors, isInsecure, isNamedInsecure, behaviour, hasLegacySettings },
  };
}

/** The chains of a node, each read when it is asked for. */
export async function openDockerNode(
  tree: ConfigTree,
  behaviour: DockerBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<NodeRules> {
  const node = await readDockerNode(tree, behaviour);
  const table = await levels;
  const findings = table.judge(daemonFindings(node, behaviour), 'main configuration');
  const wire = wireOf(node.store, behaviour);
  return {
    runtime: { name: 'docker', version: behaviour.version },
    wire,
    findings,
    pullChain: (text) => chainOf(text, { node, behaviour, table, findings, wire }),
  };
}

/** The endpoints of a registry by the store that the node has. */
export async function endpointsFor(
  registry: string,
  { store, hosts }: DockerNode,
): Promise<StoreOutcome> {
  if (store === 'containerd') return storeEndpoints(registry, hosts);
  return { outcome: await classicEndpoints(registry, hosts), isSettled: false };
}

interface ChainContext {
  readonly node: DockerNode;
  readonly behaviour: DockerBehaviour;
  readonly table: FindingRules;
  readonly findings: readonly Finding[];
  readonly wire: WireRules;
}

async function chainOf(text: string, context: ChainContext): Promise<PullChain> {
  const { node, behaviour, table, wire } = context;
  const reference = pullReference(parseReference(text));
  const registry = containerdRegistryKey(reference);
  const repository = repositoryName(reference).slice(registry.length + 1);
  const runtime = { name: 'docker', version: behaviour.version };
  const image = { runtime, reference, registry, repository, skipped: [] };
  const [fault] = node.file.faults;
  if (fault !== undefined) {
    const error = startError(fault, behaviour);
    const origin = node.file.originOf(fault.span);
    return { kind: 'refused', scope: 'node', ...image, findings: context.findings, error, origin };
  }
  const found = await endpointsFor(registry, node);
  const noticed = await chainFindings(registry, found, node);
  const findings = [...context.findings, ...table.judge(noticed, 'registry rules')];
  if (!found.outcome.ok) {
    const { error, origin } = found.outcome;
    return { kind: 'refused', scope: 'registry', ...image, findings, error, origin };
  }
  const endpoints = found.outcome.endpoints.map((endpoint) => ({ ...endpoint, repository }));
  const requests: ChainRequests =
    node.store === 'classic'
      ? classicRequests(endpoints)
      : containerdRequests({ reference, endpoints, answers: answerRulesOf(behaviour.containerd) });
  return { kind: 'endpoints', ...image, findings, endpoints, requests, wire };
}

/** What dockerd prints: it looks at mirrors with the file since 28.3, and at the rest of registries when it starts. */
function startError({ cause, reason }: DaemonFault, behaviour: DockerBehaviour): string {
  const isLater =
    cause === 'insecure' || (cause === 'mirror' && !behaviour.has('scheme-said-apart'));
  if (isLater) return `failed to start daemon: ${reason}`;
  const merged =
    cause === 'mirror'
      ? 'merged configuration validation from file and command line flags failed: '
      : '';
  return `unable to configure the Docker daemon with file ${DAEMON_JSON}: ${merged}${reason}`;
}

/**
 * The classic store hands the pull secret to every endpoint that wants a login, mirrors of Docker Hub
 * too; containerd's only to the host that it is for. Sources: moby v28.5.2 distribution/registry.go,
 * newRepository; daemon/containerd/resolver.go, authorizerFromAuthConfig.
 */
function wireOf(store: ImageStore, { containerd }: DockerBehaviour): WireRules {
  if (store === 'containerd')
    return { ...wireRulesOf(containerd), pullSecretGoesTo: 'the registry' };
  return {
    tokenServerGetsHeaders: false,
    fetchCodings: ['gzip'],
    largestResolvedBytes: Number.MAX_SAFE_INTEGER,
    pullSecretGoesTo: 'every endpoint',
    tokensBy: 'get',
  };
}
