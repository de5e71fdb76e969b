/** A node with containerd: its main configuration, and one chain for each image. */

import {
  containerdRegistryKey,
  parseReference,
  pullReference,
  type Reference,
  repositoryName,
} from '../../oci/reference.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { ContainerdBehaviour } from '../containerd-version/behaviour.ts';
import type { FindingSubject } from '../finding.ts';
import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { registryFindings, skippedFiles } from '../hosts-toml/lint/registry-findings.ts';
import { type RegistryRules, readRegistryRules } from '../hosts-toml/registry-rules.ts';
import { containerdRequests } from '../hosts-toml/walk/containerd-requests.ts';
import { answerRulesOf, wireRulesOf } from '../hosts-toml/walk/version-rules.ts';
import type { NodeRules, PullChain, PullEndpoint } from '../pull-chain.ts';
import { deprecatedRules } from './cri/deprecated-rules.ts';
import { withLogin } from './cri/logins.ts';
import { type MainConfig, readMainConfig } from './main-config/main-config.ts';

type ReadConfig = Extract<MainConfig, { kind: 'read' }>;

/** Reads the node's main configuration; the rules of each registry are read once, when first needed. */
export async function openContainerdNode(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<NodeRules> {
  const config = await readMainConfig(tree, behaviour);
  const table = await levels;
  const known = new Map<string, Promise<FoundRules>>();
  const rulesOf = (registry: string, read: ReadConfig) => {
    const found = known.get(registry) ?? findRules(tree, registry, read, behaviour);
    known.set(registry, found);
    return found;
  };
  return {
    runtime: { name: 'containerd', version: behaviour.version },
    wire: wireRulesOf(behaviour),
    findings: table.judge(config.findings, 'main configuration'),
    ...(config.kind === 'read' ? { sandboxImage: config.sandbox } : {}),
    pullChain: async (text) => {
      const image = imageOf(parseReference(text), behaviour);
      if (config.kind === 'refused') return refusedNode(image, config, table);
      const { rules, others } = await rulesOf(image.registry, config);
      return chainOf(image, rules, { config, behaviour, table, others });
    },
  };
}

/** The rules of a registry, and the names beside hosts.toml in its directory. */
interface FoundRules {
  readonly rules: RegistryRules;
  readonly others: readonly string[];
}

async function findRules(
  tree: ConfigTree,
  registry: string,
  config: ReadConfig,
  behaviour: ContainerdBehaviour,
): Promise<FoundRules> {
  const rules = await readRules(tree, registry, config, behaviour);
  return { rules, others: await namesIn(tree, rules) };
}

function readRules(
  tree: ConfigTree,
  registry: string,
  { mode, registry: settings, settings: cri, configPathOrigin }: ReadConfig,
  behaviour: ContainerdBehaviour,
): Promise<RegistryRules> {
  if (mode.usesMirrors) {
    const origin = cri.originOf(['registry', 'mirrors']) ?? configPathOrigin;
    return deprecatedRules({ tree, registry, settings, behaviour, origin });
  }
  return readRegistryRules({ tree, roots: mode.roots, registry, behaviour });
}

type Image = Pick<PullChain, 'runtime' | 'reference' | 'registry' | 'repository'>;

function imageOf(asked: Reference, behaviour: ContainerdBehaviour): Image {
  const reference = pullReference(asked);
  const registry = containerdRegistryKey(reference);
  return {
    runtime: { name: 'containerd', version: behaviour.version },
    reference,
    registry,
    repository: repositoryName(reference).slice(registry.length + 1),
  };
}

function refusedNode(
  image: Image,
  config: Extract<MainConfig, { kind: 'refused' }>,
  table: FindingRules,
): PullChain {
  const { error, origin } = config;
  const findings = table.judge(config.findings, 'main configuration');
  return { kind: 'refused', scope: 'node', ...image, error, origin, findings, skipped: [] };
}

interface ChainContext extends Pick<FoundRules, 'others'> {
  readonly config: ReadConfig;
  readonly behaviour: ContainerdBehaviour;
  readonly table: FindingRules;
}

function chainOf(image: Image, rules: RegistryRules, context: ChainContext): PullChain {
  const { config, behaviour, table, others } = context;
  const judged = { registry: image.registry, rules, others, behaviour };
  const common = {
    ...image,
    findings: [
      ...table.judge(config.findings, 'main configuration'),
      ...table.judge(registryFindings(judged), subjectOf(config)),
    ],
    skipped: skippedFiles(judged),
  };
  if (rules.outcome.kind === 'failed') {
    const { error, origin } = rules.outcome;
    return { kind: 'refused', scope: 'registry', ...common, error, origin };
  }
  const endpoints = rules.outcome.endpoints.map(
    (endpoint): PullEndpoint => ({
      ...withLogin(endpoint, config),
      repository: image.repository,
    }),
  );
  const { reference } = image;
  const requests = containerdRequests({ reference, endpoints, answers: answerRulesOf(behaviour) });
  return { kind: 'endpoints', ...common, endpoints, requests, wire: wireRulesOf(behaviour) };
}

/** Where nothing but registry.mirrors is used, the rules stand in the main configuration. */
function subjectOf({ mode }: ReadConfig): FindingSubject {
  return mode.usesMirrors ? 'main configuration' : 'registry rules';
}

async function namesIn(tree: ConfigTree, { directory }: RegistryRules): Promise<readonly string[]> {
  if (directory.kind !== 'found') return [];
  return (await tree.list(directory.path)).map(({ name }) => name);
}
