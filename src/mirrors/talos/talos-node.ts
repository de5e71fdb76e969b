/** A node with Talos: its machine configuration, and one chain for each image that CRI pulls. */

import type { ConfigTree } from '../config-tree.ts';
import { openContainerdNode } from '../containerd/containerd-node.ts';
import { MAIN_CONFIG } from '../containerd/main-config/main-config.ts';
import type { Finding, Origin } from '../finding.ts';
import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { containerdRequests } from '../hosts-toml/walk/containerd-requests.ts';
import { answerRulesOf } from '../hosts-toml/walk/version-rules.ts';
import { memoryTree } from '../memory-tree.ts';
import { EVERY_OTHER } from '../mirror-rule.ts';
import type { NodeRules, PullChain, PullEndpoint } from '../pull-chain.ts';
import type { TalosBehaviour } from './behaviour.ts';
import { criMainConfig, loginHost } from './convert/cri-config.ts';
import { generateHosts, HOSTS_FOLDER } from './convert/generate-hosts.ts';
import { machineFindings } from './lint/talos-findings.ts';
import { MACHINE_CONFIG, type MachineConfig, readMachineConfig } from './read/machine-config.ts';
import type { HostAuth, Mirror, Registries } from './read/registries.ts';

/** Reads the configuration; what Talos makes of it is read by the containerd that it ships. */
export async function openTalosNode(
  tree: ConfigTree,
  behaviour: TalosBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<NodeRules> {
  const machine = await readMachineConfig(tree, behaviour);
  const table = await levels;
  const noticed = machineFindings(machine, { mode: 'online' }, behaviour);
  const findings = table.judge(noticed, 'registry rules');
  const inner = await containerdNode(machine.registries, behaviour, levels);
  const context = { machine, behaviour, findings };
  return {
    runtime: { name: 'talos', version: behaviour.version },
    wire: inner.wire,
    findings,
    pullChain: async (text) => ownChain(await inner.pullChain(text), context),
  };
}

/** containerd with the files that Talos writes for it; without any where Talos writes none. */
async function containerdNode(
  registries: Registries,
  behaviour: TalosBehaviour,
  levels: Promise<FindingRules>,
): Promise<NodeRules> {
  const generated = generateHosts(registries);
  const files = new Map([[MAIN_CONFIG, criMainConfig(registries.auths, behaviour)]]);
  for (const [path, text] of generated.ok ? generated.files : []) {
    files.set(`${HOSTS_FOLDER}/${path}`, text);
  }
  const tree = memoryTree(Object.fromEntries(files));
  return openContainerdNode(tree, behaviour.containerd, levels);
}

interface ChainContext {
  readonly machine: MachineConfig;
  readonly behaviour: TalosBehaviour;
  readonly findings: readonly Finding[];
}

function ownChain(chain: PullChain, { machine, behaviour, findings }: ChainContext): PullChain {
  const { registries } = machine;
  const runtime = { name: 'talos', version: behaviour.version };
  const { reference, registry, repository } = chain;
  const image = { runtime, reference, registry, repository, findings, skipped: [] };
  const [fault] = machine.faults;
  const generated = generateHosts(registries);
  if (fault !== undefined) {
    const { reason: error, origin } = fault;
    return { kind: 'refused', scope: 'node', ...image, error, origin };
  }
  if (!generated.ok) {
    const origin = registries.tls.get(EVERY_OTHER)?.origin ?? { file: MACHINE_CONFIG };
    return { kind: 'refused', scope: 'node', ...image, error: generated.error, origin };
  }
  const mirror = registries.mirrors.get(registry) ?? registries.mirrors.get(EVERY_OTHER);
  if (chain.kind === 'refused') {
    const origin = mirror?.origin ?? registries.tls.get(registry)?.origin ?? chain.origin;
    return { ...chain, ...image, origin };
  }
  const endpoints = chain.endpoints.map((endpoint, index) => ({
    ...endpoint,
    origin: originOf(index, mirror, endpoint.origin),
    ...withOwnLogin(endpoint, registries),
  }));
  const answers = answerRulesOf(behaviour.containerd);
  const requests = containerdRequests({ reference, endpoints, answers });
  return { ...chain, ...image, endpoints, requests };
}

/** The line of the configuration that an endpoint comes from; the registry itself, from its mirror's. */
function originOf(index: number, mirror: Mirror | undefined, generated: Origin): Origin {
  const isGenerated = generated.file?.startsWith(HOSTS_FOLDER) === true;
  return (
    mirror?.endpoints[index]?.origin ??
    mirror?.origin ??
    (isGenerated ? { file: MACHINE_CONFIG } : generated)
  );
}

function withOwnLogin(
  { login, host }: PullEndpoint,
  { auths }: Registries,
): Pick<PullEndpoint, 'login'> {
  if (login === undefined) return {};
  const found = [...auths.values()].find(({ name }: HostAuth) => loginHost(name) === host);
  return { login: { ...login, origin: found?.origin ?? { file: MACHINE_CONFIG } } };
}
