/** A node with CRI-O or podman: its registries.conf, and one chain for each image. */

import { parseReference, type Reference } from '../../oci/reference.ts';
import type { ConfigTree } from '../config-tree.ts';
import { BUILT_IN, type Noticed, type Origin } from '../finding.ts';
import type { FindingRules } from '../finding-rules.ts';
import type { NodeRules, PullChain, PullEndpoint, Skipped, WireRules } from '../pull-chain.ts';
import type { RegistriesConfBehaviour } from './behaviour.ts';
import { fileFindings } from './lint/file-findings.ts';
import { nameFindings } from './lint/name-findings.ts';
import { isAboutRegistries, tableSpans } from './lint/table-spans.ts';
import type { CrioConfig } from './read/crio-config.ts';
import { authFilesOf, modeOf, type NodeFiles, readNodeFiles } from './read/node-files.ts';
import type { RegistriesConfig } from './read/registries-config.ts';
import { aliasesOf } from './read/user-aliases.ts';
import {
  type AttemptContext,
  attemptsFor,
  type CandidateAttempts,
  pushAttempt,
} from './walk/pull-attempts.ts';
import { largestManifestBytes } from './walk/registry-client.ts';
import { registriesConfRequests } from './walk/requests.ts';
import { candidatesFor, withoutTagBesideDigest } from './walk/short-names.ts';

const wire: WireRules = {
  tokenServerGetsHeaders: false,
  fetchCodings: ['gzip'],
  largestResolvedBytes: largestManifestBytes,
  pullSecretGoesTo: 'the registry',
  tokensBy: 'get',
};

type ReadCrio = Extract<CrioConfig, { kind: 'read' }>;

/** Reads the node's configuration once; each image then has its chain. */
export async function openRegistriesConfNode(
  tree: ConfigTree,
  behaviour: RegistriesConfBehaviour,
  table: FindingRules,
): Promise<NodeRules> {
  const files = await readNodeFiles(tree, behaviour);
  const findings = table.judge(await fileFindings(files, { mode: 'online' }), 'main configuration');
  const { config, crio } = files;
  const isRefused = config.kind === 'refused' || crio?.kind === 'refused';
  const sandbox = isRefused || crio === undefined ? undefined : sandboxOf(crio, behaviour);
  const { runtime } = behaviour;
  const spans = tableSpans(files);
  return {
    runtime,
    findings,
    wire,
    ...(sandbox === undefined ? {} : { sandboxImage: sandbox }),
    pullChain: async (text) => {
      const { noticed, ...chain } = await chainFor(text, files);
      const more = table.judge(noticed, 'main configuration');
      const registries = registriesOf(chain);
      const own = findings.filter((one) => isAboutRegistries(one, spans, registries));
      return { runtime, ...chain, findings: [...own, ...more] };
    },
  };
}

function sandboxOf(
  crio: ReadCrio,
  { pauseImage }: RegistriesConfBehaviour,
): NodeRules['sandboxImage'] {
  if (crio.pauseImage !== undefined) {
    return { image: crio.pauseImage.value, origin: crio.pauseImage.origin };
  }
  return pauseImage === undefined ? undefined : { image: pauseImage, origin: BUILT_IN };
}

type BareChain = PullChain extends infer Chain
  ? Chain extends PullChain
    ? Omit<Chain, 'runtime' | 'findings'> & { readonly noticed: readonly Noticed[] }
    : never
  : never;

/** Those that the pull has to do with: the image's own, and each that is asked in its place. */
function registriesOf(chain: {
  readonly registry: string;
  readonly endpoints?: readonly PullEndpoint[];
}): readonly string[] {
  const asked = chain.endpoints?.map(({ host }) => host) ?? [];
  return [chain.registry, ...asked];
}

async function chainFor(text: string, files: NodeFiles): Promise<BareChain> {
  // Names that nobody reads are refused; what only these programs refuse has a chain that says so.
  const asked = parseReference(text);
  const { config, crio } = files;
  if (crio?.kind === 'refused') return refused(asked, { ...crio, scope: 'node' });
  if (config.kind === 'refused') return refused(asked, { ...config, scope: 'node' });
  const origin = { file: config.places.main };
  const aliases = await aliasesOf(files.tree, config, files.behaviour.toml);
  const found = candidatesFor(text, {
    searchRegistries: config.searchRegistries,
    searchFile: config.searchFile,
    aliases: aliases.kind === 'read' ? aliases.aliases : config.aliases,
    mode: modeOf(files, config),
  });
  if (aliases.kind === 'refused' && found.isShort) {
    return refused(asked, { ...aliases, scope: 'registry' });
  }
  if (found.kind === 'failed') {
    const noticed = found.isShort ? [shortNameFinding(found.error, origin)] : [];
    return refused(asked, { error: found.error, origin, scope: 'registry', noticed });
  }
  const names = found.names.map(withoutTagBesideDigest);
  return chainOf(names, { tree: files.tree, config, auth: authOf(files, config) });
}

function shortNameFinding(message: string, origin: Origin): Noticed {
  const fix = 'Write the full name with its registry, or name one search registry.';
  return { rule: 'R005', level: 'error', origin, message, fix };
}

function authOf(files: NodeFiles, config: RegistriesConfig): AttemptContext['auth'] {
  return {
    tree: files.tree,
    files: authFilesOf(files),
    helpers: config.credentialHelpers,
    origin: { file: config.places.main },
  };
}

interface Refusal {
  readonly error: string;
  readonly origin: Origin;
  readonly scope: 'registry' | 'node';
  readonly skipped?: readonly Skipped[];
  readonly noticed?: readonly Noticed[];
}

function refused(reference: Reference, refusal: Refusal): BareChain {
  const { domain: registry, path: repository } = reference;
  const { error, origin, scope, skipped = [], noticed = [] } = refusal;
  return {
    kind: 'refused',
    reference,
    registry,
    repository,
    error,
    origin,
    scope,
    skipped,
    noticed,
  };
}

async function chainOf(names: readonly Reference[], context: AttemptContext): Promise<BareChain> {
  const candidates: CandidateAttempts[] = [];
  for (const name of names) candidates.push(await attemptsFor(name, context));
  const [reference] = names;
  if (reference === undefined) throw new TypeError('a name has at least one candidate');
  const noticed = names.flatMap((name) => nameFindings(name, context.config));
  const attempts = candidates.flatMap((one) => one.attempts);
  const skipped = [...candidates.flatMap((one) => one.skipped)];
  const endpoints = attempts.flatMap(({ endpoint }) => endpoint ?? []);
  if (endpoints.length === 0) {
    const error = attempts.at(-1)?.error ?? '';
    const origin = candidates.at(-1)?.skipped.at(-1)?.origin ?? BUILT_IN;
    return refused(reference, { error, origin, scope: 'registry', skipped, noticed });
  }
  const push = await pushAttempt(reference, context);
  const requests = registriesConfRequests({
    reference,
    candidates: candidates.map((one) => one.attempts),
    push,
  });
  const { domain: registry, path: repository } = reference;
  const common = { reference, registry, repository, wire, skipped, noticed };
  return { kind: 'endpoints', ...common, endpoints, requests };
}
