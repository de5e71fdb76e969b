import { describeSpans } from '../../mirrors/describe-spans.ts';
import { parseAssumedAnswer, refuseUnasked } from '../../mirrors/explain/assumed-answers.ts';
import { compareLines, type LineGroup } from '../../mirrors/explain/compare-lines.ts';
import {
  type ExplainOptions,
  explainImage,
  type SiteView,
} from '../../mirrors/explain/explain-image.ts';
import type { Explanation } from '../../mirrors/explain/explanation.ts';
import { type LoosePorts, openConfiguration } from '../../mirrors/explain/loose-configuration.ts';
import { showGiven } from '../../mirrors/explain/show-given.ts';
import { runtimeOfFiles } from '../../mirrors/files/runtime-of-files.ts';
import { type FindingRules, loadFindingRules } from '../../mirrors/finding-rules.ts';
import { openRuntime } from '../../mirrors/open-runtime.ts';
import type { PullChain } from '../../mirrors/pull-chain.ts';
import {
  loadReleases,
  namedSpan,
  type ReleaseSpan,
  triedVersions,
} from '../../mirrors/release-spans.ts';
import { parseReference } from '../../oci/reference.ts';
import { hostGate, siteFacts } from '../../proof/allowed-hosts.ts';
import { parseRuntimeId, type RuntimeId, type RuntimeName } from '../../site/runtime-id.ts';
import type { Site } from '../../site/site.ts';
import { createAuthority } from '../../trust/authority.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { RuntimeUndecided } from '../errors.ts';
import { type ClusterName, chooseRuntime } from '../node/choose-runtime.ts';
import { configurationPath } from '../node/node-root.ts';
import { readLockFile } from '../read-lock-file.ts';
import { readSite } from '../read-site.ts';
import { formatExplanation } from './explain-view.ts';
import { rememberedRuntime } from './remembered-runtime.ts';

/** What the user asked for. */
export interface ExplainOrder {
  readonly image: string;
  readonly root: string;
  readonly runtime: string | undefined;
  readonly siteFile: string | undefined;
  readonly lockFile: string | undefined;
  readonly cluster: ClusterName | undefined;
  readonly answers: readonly string[];
}

/** Says where a node pulls an image from, and what happens when each place answers or fails. */
export async function runExplain(
  context: CommandContext,
  order: ExplainOrder,
): Promise<CommandResult> {
  const { domain: registry } = parseReference(order.image);
  const assumed = order.answers.map(parseAssumedAnswer);
  const site = order.siteFile === undefined ? undefined : await readSite(order.siteFile, context);
  const path = await configurationPath(order.root, context);
  const asked = await releasesFor(order, { site: site?.value, path }, context);
  const { name, spans, guessed } = asked;
  const options = { site: site && siteView(site.value), assumed };
  const found = [];
  const ports = { registry, pem: () => samplePem(context) };
  const levels = loadFindingRules();
  for (const version of triedVersions(spans)) {
    const runtime = { name, version };
    found.push(await explainFor({ order, path, runtime, ports, levels }, options));
  }
  refuseUnasked(
    assumed,
    found.map(({ chain }) => chain),
  );
  const groups = compareLines(found.map(({ explanation }) => explanation)).map((group) => ({
    ...group,
    releases: inWords(group, asked),
  }));
  const newest = found.at(-1)?.runtimeNotes ?? [];
  const notes = [...new Set([...guessed, ...found.flatMap((one) => one.notes), ...newest])];
  const [first] = groups;
  if (first === undefined) throw new TypeError('at least one runtime was asked');
  const { explanation } = first;
  const differs = groups.length > 1 ? groups.slice(1) : [];
  const view = { ...explanation, root: order.root, site: order.siteFile ?? null, notes };
  return {
    json: { ...view, runtimes: first.runtimes, releases: first.releases, differs },
    text: formatExplanation({ ...first, differs, notes, hasSite: site !== undefined }),
    negative: groups.some((one) => counts(one, asked) && isNo(one.explanation, site !== undefined)),
  };
}

/** Without a Site nobody said that the registry itself may not be asked. */
function isNo({ answer }: Explanation, hasSite: boolean): boolean {
  if (answer.kind === 'refused') return true;
  return hasSite && answer.leaves.length > 0 && !answer.mayLeave;
}

/** `containerd before 1.7.32`; `containerd` where all do the same. */
function inWords(group: LineGroup, { name, spans }: AskedReleases): string {
  const [first, second] = spans;
  const only = second === undefined ? first?.version : undefined;
  return [name, only ?? describeSpans(spans, versionsOf(group, name)) ?? []].flat().join(' ');
}

/** What only early releases do is told, and is no answer no: they were replaced within months. */
function counts(group: LineGroup, { name, spans }: AskedReleases): boolean {
  const versions = versionsOf(group, name);
  return spans.some(({ like, isEarly }) => versions.has(like) && !isEarly);
}

function versionsOf({ runtimes }: LineGroup, name: RuntimeName): ReadonlySet<string> {
  return new Set(runtimes.map((runtime) => runtime.slice(name.length + 1)));
}

interface AskedReleases {
  readonly name: RuntimeName;
  /** One where the version is known. */
  readonly spans: readonly ReleaseSpan[];
  /** What was concluded from the files alone. */
  readonly guessed: readonly string[];
}

async function releasesFor(
  order: ExplainOrder,
  { site, path }: { readonly site: Site | undefined; readonly path: string },
  context: CommandContext,
): Promise<AskedReleases> {
  const { runtime: typed, cluster, lockFile } = order;
  const id = typed === undefined ? undefined : parseRuntimeId(typed);
  if (id?.version !== undefined) return onlyVersion(id);
  if (lockFile !== undefined || (id === undefined && site !== undefined)) {
    const { lock } = await readLockFile(lockFile, context);
    return onlyVersion(chooseRuntime({ typed, cluster, site, lock }));
  }
  if (id !== undefined) return { ...(await allOf(id.name)), guessed: [] };
  const remembered = await rememberedRuntime(path, order.root);
  if (remembered.runtime !== undefined) {
    return { ...onlyVersion(remembered.runtime), guessed: remembered.notes };
  }
  const name = await runtimeOfFiles(path);
  if (name === undefined) {
    const said = 'neither --runtime nor a Site says which one runs there';
    const because = [said, ...remembered.notes].join('; ');
    throw new RuntimeUndecided({ because, hasCluster: true });
  }
  const guessed = [`${order.root} is taken for what ${name} reads; --runtime says otherwise`];
  return { ...(await allOf(name)), guessed };
}

function onlyVersion({ name, version = '' }: RuntimeId): AskedReleases {
  return { name, spans: [namedSpan(version)], guessed: [] };
}

async function allOf(name: RuntimeName): Promise<Pick<AskedReleases, 'name' | 'spans'>> {
  return { name, spans: await (await loadReleases()).spansOf(name) };
}

/** Stands for certificates that the files name and that are elsewhere. */
async function samplePem({ clock }: CommandContext): Promise<string> {
  const { certificate, key } = await createAuthority({ name: 'assumed', validDays: 1 }, clock);
  return `${certificate}\n${key.reveal()}\n`;
}

/** Online, too, the hosts of the Site are the inside; only leaving it is then allowed. */
function siteView(site: Site): SiteView {
  const facts = siteFacts(site);
  const gate = hostGate({ ...facts, mode: 'offline' });
  return {
    isInside: (scheme, host) => gate.allows(scheme, host),
    mayLeave: facts.mode === 'online',
  };
}

interface Asked {
  readonly order: ExplainOrder;
  readonly path: string;
  readonly runtime: RuntimeId;
  readonly ports: LoosePorts;
  readonly levels: Promise<FindingRules>;
}

interface Explained {
  readonly chain: PullChain;
  readonly explanation: Explanation;
  /** About the files that were read. */
  readonly notes: readonly string[];
  /** About this version. */
  readonly runtimeNotes: readonly string[];
}

async function explainFor(
  { order, path, runtime: id, ports, levels }: Asked,
  options: ExplainOptions,
): Promise<Explained> {
  const runtime = await openRuntime(id, levels);
  const { tree, place, notes } = await openConfiguration(path, runtime, ports);
  const chain = await (await runtime.openNode(tree)).pullChain(order.image);
  const onNode = explainImage(chain, options);
  const explanation =
    place === undefined ? onNode : showGiven(onNode, { place, shown: order.root });
  return { chain, explanation, notes: notes(), runtimeNotes: runtime.notes };
}
