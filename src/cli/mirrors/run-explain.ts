import { parseAssumedAnswer, refuseUnasked } from '../../mirrors/explain/assumed-answers.ts';
import { compareLines } from '../../mirrors/explain/compare-lines.ts';
import {
  type ExplainOptions,
  explainImage,
  type SiteView,
} from '../../mirrors/explain/explain-image.ts';
import type { Explanation } from '../../mirrors/explain/explanation.ts';
import { type LoosePorts, openConfiguration } from '../../mirrors/explain/loose-configuration.ts';
import { linesOf } from '../../mirrors/explain/runtime-lines.ts';
import { showGiven } from '../../mirrors/explain/show-given.ts';
import { runtimeOfFiles } from '../../mirrors/files/runtime-of-files.ts';
import { openRuntime } from '../../mirrors/open-runtime.ts';
import type { PullChain } from '../../mirrors/pull-chain.ts';
import { parseReference } from '../../oci/reference.ts';
import { hostGate, siteFacts } from '../../proof/allowed-hosts.ts';
import { parseRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import type { Site } from '../../site/site.ts';
import { createAuthority } from '../../trust/authority.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { RuntimeUndecided } from '../errors.ts';
import { type ClusterName, chooseRuntime } from '../node/choose-runtime.ts';
import { configurationPath } from '../node/node-root.ts';
import { readLockFile } from '../read-lock-file.ts';
import { readSite } from '../read-site.ts';
import { formatExplanation } from './explain-view.ts';

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
  const { runtimes, guessed } = await runtimesFor(order, { site: site?.value, path }, context);
  const options = { site: site && siteView(site.value), assumed };
  const found = [];
  const ports = { registry, pem: () => samplePem(context) };
  for (const runtime of runtimes) {
    found.push(await explainFor({ order, path, runtime, ports }, options));
  }
  refuseUnasked(
    assumed,
    found.map(({ chain }) => chain),
  );
  const groups = compareLines(found.map(({ explanation }) => explanation));
  const notes = [...new Set([...guessed, ...found.flatMap((one) => one.notes)])];
  const [first] = groups;
  if (first === undefined) throw new TypeError('at least one runtime was asked');
  const { explanation } = first;
  const differs = groups.length > 1 ? groups.slice(1) : [];
  const view = { ...explanation, root: order.root, site: order.siteFile ?? null, notes };
  return {
    json: { ...view, runtimes: first.runtimes, differs },
    text: formatExplanation({ ...first, differs, notes, hasSite: site !== undefined }),
    negative: groups.some((group) => isNo(group.explanation, site !== undefined)),
  };
}

/** Without a Site nobody said that the registry itself may not be asked. */
function isNo({ answer }: Explanation, hasSite: boolean): boolean {
  if (answer.kind === 'refused') return true;
  return hasSite && answer.leaves.length > 0 && !answer.mayLeave;
}

interface Runtimes {
  readonly runtimes: readonly RuntimeId[];
  /** What was concluded from the files alone. */
  readonly guessed: readonly string[];
}

async function runtimesFor(
  order: ExplainOrder,
  { site, path }: { readonly site: Site | undefined; readonly path: string },
  context: CommandContext,
): Promise<Runtimes> {
  const { runtime: typed, cluster, lockFile } = order;
  const id = typed === undefined ? undefined : parseRuntimeId(typed);
  if (id?.version !== undefined) return { runtimes: [id], guessed: [] };
  if (lockFile !== undefined || (id === undefined && site !== undefined)) {
    const { lock } = await readLockFile(lockFile, context);
    return { runtimes: [chooseRuntime({ typed, cluster, site, lock })], guessed: [] };
  }
  if (id !== undefined) return { runtimes: await linesOrAny(id), guessed: [] };
  const name = await runtimeOfFiles(path);
  if (name === undefined) {
    const because = 'neither --runtime nor a Site says which one runs there';
    throw new RuntimeUndecided({ because });
  }
  const guessed = [`${order.root} is taken for what ${name} reads; --runtime says otherwise`];
  return { runtimes: await linesOrAny({ name }), guessed };
}

async function linesOrAny(id: RuntimeId): Promise<readonly RuntimeId[]> {
  const lines = await linesOf(id.name);
  return lines.length === 0 ? [id] : lines;
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
}

interface Explained {
  readonly chain: PullChain;
  readonly explanation: Explanation;
  readonly notes: readonly string[];
}

async function explainFor(
  { order, path, runtime: id, ports }: Asked,
  options: ExplainOptions,
): Promise<Explained> {
  const runtime = await openRuntime(id);
  const { tree, place, notes } = await openConfiguration(path, runtime, ports);
  const chain = await (await runtime.openNode(tree)).pullChain(order.image);
  const onNode = explainImage(chain, options);
  const explanation =
    place === undefined ? onNode : showGiven(onNode, { place, shown: order.root });
  return { chain, explanation, notes: [...notes(), ...runtime.notes] };
}
