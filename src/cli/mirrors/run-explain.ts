import { resolve } from 'node:path';
import { parseAssumedAnswer } from '../../mirrors/explain/assumed-answers.ts';
import { compareLines } from '../../mirrors/explain/compare-lines.ts';
import {
  type ExplainOptions,
  explainImage,
  type SiteView,
} from '../../mirrors/explain/explain-image.ts';
import type { Explanation } from '../../mirrors/explain/explanation.ts';
import { openConfiguration } from '../../mirrors/explain/loose-configuration.ts';
import { linesOf } from '../../mirrors/explain/runtime-lines.ts';
import { openRuntime } from '../../mirrors/open-runtime.ts';
import { parseReference } from '../../oci/reference.ts';
import { hostGate, siteFacts } from '../../proof/allowed-hosts.ts';
import { parseRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import type { Site } from '../../site/site.ts';
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
  parseReference(order.image);
  const assumed = order.answers.map(parseAssumedAnswer);
  const site = order.siteFile === undefined ? undefined : await readSite(order.siteFile, context);
  const runtimes = await runtimesFor(order, site?.value, context);
  const path = await configurationPath(order.root, context);
  const options = { site: site && siteView(site.value), assumed };
  const found = [];
  for (const runtime of runtimes) found.push(await explainFor(path, runtime, order.image, options));
  const groups = compareLines(found.map(({ explanation }) => explanation));
  const notes = [...new Set(found.flatMap((one) => one.notes))];
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

async function runtimesFor(
  order: ExplainOrder,
  site: Site | undefined,
  context: CommandContext,
): Promise<readonly RuntimeId[]> {
  const { runtime: typed, cluster, lockFile } = order;
  const id = typed === undefined ? undefined : parseRuntimeId(typed);
  if (id?.version !== undefined) return [id];
  if (lockFile !== undefined || (id === undefined && site !== undefined)) {
    const { lock } = await readLockFile(lockFile, context);
    return [chooseRuntime({ typed, cluster, site, lock })];
  }
  if (id === undefined) {
    const because = 'neither --runtime nor a Site says which one runs there';
    throw new RuntimeUndecided({ because });
  }
  const lines = await linesOf(id.name);
  return lines.length === 0 ? [id] : lines;
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

async function explainFor(
  path: string,
  id: RuntimeId,
  image: string,
  options: ExplainOptions,
): Promise<{ readonly explanation: Explanation; readonly notes: readonly string[] }> {
  const runtime = await openRuntime(id);
  const { tree, notes } = await openConfiguration(resolve(path), runtime);
  const chain = await (await runtime.openNode(tree)).pullChain(image);
  return { explanation: explainImage(chain, options), notes: [...notes, ...runtime.notes] };
}
