import { resolve } from 'node:path';
import { type FindingRules, loadFindingRules } from '../../mirrors/finding-rules.ts';
import { imagesOfLock } from '../../mirrors/images/known-images.ts';
import type { LintJob } from '../../mirrors/lint/lint-job.ts';
import { type LintRequest, openLint, type TypedPath } from '../../mirrors/lint/open-lint.ts';
import type { LintFinding } from '../../mirrors/lint/report/lint-finding.ts';
import { sarifLog } from '../../mirrors/lint/report/sarif.ts';
import type { LintedSite } from '../../mirrors/runtime-rules.ts';
import type { Lock } from '../../release/lock.ts';
import { addressSeenFrom, hostsForNodes } from '../../site/addresses.ts';
import { parseRuntimeId, type RuntimeId, runtimeNames } from '../../site/runtime-id.ts';
import type { Site } from '../../site/site.ts';
import { createAuthority } from '../../trust/authority.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { ArgumentMissing } from '../errors.ts';
import { nodeRoot } from '../node/node-root.ts';
import { readLockFile } from '../read-lock-file.ts';
import { readSite } from '../read-site.ts';
import { shellLine } from '../shell-line.ts';
import { readVersion } from '../version.ts';
import { withoutLogins } from './hide-logins.ts';
import { type LintReport, lintAsJson } from './lint-report.ts';
import { formatLint } from './lint-view.ts';
import { type RememberedRuntime, rememberedRuntime } from './remembered-runtime.ts';
import { runFix } from './run-fix.ts';

/** What the user asked for. */
export interface LintOrder {
  readonly paths: readonly string[];
  readonly root: string | undefined;
  readonly runtime: string | undefined;
  readonly offline: boolean;
  readonly siteFile: string | undefined;
  readonly lockFile: string | undefined;
  readonly asSarif: boolean;
  readonly fix: boolean;
  readonly dryRun: boolean;
}

/** Says what is wrong in files, and mends what can be mended safely; the answer is no after an error. */
export async function runLint(context: CommandContext, order: LintOrder): Promise<CommandResult> {
  if (order.paths.length === 0 && order.root === undefined) {
    throw new ArgumentMissing({
      command: 'mirrors lint',
      name: 'PATH or --root DIR',
      summary: 'files, folders to search, or a whole node',
    });
  }
  const table = await loadFindingRules();
  const { all: rules } = table;
  const { request, notes } = await requestFor(order, table, context);
  const found = await lint({ request, notes }, order);
  const report = context.isQuiet && !context.isJson ? withoutNotes(found) : found;
  const view = { report, rules, site: request.site, order };
  const negative = report.findings.some(({ level }) => level === 'error');
  if (!order.asSarif) {
    const look = { paint: context.terminal.paint, width: context.terminal.width };
    return { json: lintAsJson(view), text: formatLint(view, look), negative };
  }
  const { cwd } = context.environment;
  const tool = { version: await readVersion(), rules, cwd };
  const sarif = withoutLogins(sarifLog(report.findings, tool));
  if (!context.isJson) context.terminal.print(JSON.stringify(sarif, undefined, 2));
  return { json: sarif, text: '', negative };
}

async function requestFor(
  order: LintOrder,
  rules: FindingRules,
  context: CommandContext,
): Promise<NotedRequest> {
  const site = order.siteFile === undefined ? undefined : await readSite(order.siteFile, context);
  const lock =
    order.lockFile === undefined ? undefined : (await readLockFile(order.lockFile, context)).lock;
  const { root: typedRoot, runtime } = order;
  const root =
    typedRoot === undefined
      ? undefined
      : { shown: typedRoot, real: await nodeRoot(typedRoot, context) };
  const known = knownRuntimes(site?.value, lock);
  const { runtime: remembered, notes } = await rememberedFor(root, { runtime, known });
  const { cwd } = context.environment;
  const request = {
    paths: order.paths.map((path) => ({ shown: trimmed(path), real: resolve(cwd, path) })),
    ...(root && { root }),
    ...(runtime !== undefined && { runtime: parseRuntimeId(runtime) }),
    ...(remembered && { remembered }),
    known,
    site: siteFor(order, site?.value),
    rules,
    ...(lock && { images: imagesOfLock(lock, site?.value) }),
    pem: pemMaker(context),
  };
  return { request, notes };
}

interface NotedRequest {
  readonly request: LintRequest;
  /** Where its runtime comes from. */
  readonly notes: readonly string[];
}

/** What the node says itself counts only where neither the user nor a Site named its runtime. */
async function rememberedFor(
  root: TypedPath | undefined,
  {
    runtime,
    known,
  }: { readonly runtime: string | undefined; readonly known: readonly RuntimeId[] },
): Promise<RememberedRuntime> {
  if (root === undefined || runtime !== undefined) return { notes: [] };
  const found = await rememberedRuntime(root.real, root.shown);
  const isSaid = known.some(({ name }) => name === found.runtime?.name);
  return isSaid ? { notes: [] } : found;
}

function trimmed(path: string): string {
  return path.replace(/(?<=.)\/+$/, '');
}

function siteFor({ offline }: LintOrder, site: Site | undefined): LintedSite {
  const registries = Object.values(site?.spec.registries ?? {});
  const seen = registries.map((registry) => addressSeenFrom(registry, 'nodes'));
  const plainHttpHosts = seen.flatMap(({ scheme, host }) => (scheme === 'http' ? [host] : []));
  const own = [...new Set(registries.flatMap(hostsForNodes))];
  const allowed = site?.spec.mode === 'offline' ? (site.spec.allow ?? []) : [];
  return {
    mode: offline ? 'offline' : (site?.spec.mode ?? 'online'),
    plainHttpHosts,
    ...(own.length > 0 && { registries: own, allowedHosts: [...own, ...allowed] }),
  };
}

/** With the versions that the Site says; where it says none, those that the Lock installs. */
function knownRuntimes(site: Site | undefined, lock: Lock | undefined): readonly RuntimeId[] {
  const clusters = Object.values(site?.spec.clusters ?? {});
  const said = clusters.flatMap((cluster) => (cluster ? [parseRuntimeId(cluster.runtime)] : []));
  const withVersion = new Set(said.flatMap(({ name, version }) => (version ? [name] : [])));
  const installed = runtimeNames.flatMap((name) => {
    const version = withVersion.has(name) ? undefined : lock?.spec.runtime?.[name];
    return version === undefined ? [] : [parseRuntimeId(`${name}@${version}`)];
  });
  return [...said, ...installed];
}

/** Made once, and only when a file is linted without its node. */
function pemMaker({ clock }: CommandContext): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= createAuthority({ name: 'assumed', validDays: 1 }, clock).then(
      ({ certificate, key }) => `${certificate}\n${key.reveal()}\n`,
    );
    return made;
  };
}

async function lint({ request, notes }: NotedRequest, order: LintOrder): Promise<LintReport> {
  const jobs = await openLint(request);
  const { findings, fix } = await findingsOf(jobs, order);
  return {
    files: jobs.flatMap((job) => job.files()),
    findings,
    notSeen: [...new Set(jobs.flatMap((job) => job.notSeen()))].sort(),
    notes,
    ...(fix && { fix }),
    next: nextCommand(findings, order),
  };
}

/** What is wrong: in the files as they are, and after a fix what is still wrong. */
async function findingsOf(jobs: readonly LintJob[], { fix, dryRun }: LintOrder) {
  if (fix) {
    const report = await runFix(jobs, dryRun);
    return { findings: dryRun ? report.found : report.left, fix: report };
  }
  const findings: LintFinding[] = [];
  for (const job of jobs) findings.push(...(await job.lint()));
  return { findings };
}

/** For `--quiet`: the answer and what it rests on. */
function withoutNotes(report: LintReport): LintReport {
  return { ...report, notSeen: [], notes: [], next: undefined };
}

/** What to type next, where something can be mended. */
function nextCommand(findings: readonly LintFinding[], order: LintOrder): string | undefined {
  const canMend = findings.some(({ mend }) => mend !== undefined);
  if (!canMend || (order.fix && !order.dryRun)) return undefined;
  const words = [
    ...order.paths,
    ...(order.root === undefined ? [] : ['--root', order.root]),
    ...(order.runtime === undefined ? [] : ['--runtime', order.runtime]),
    ...(order.offline ? ['--offline'] : []),
    ...(order.siteFile === undefined ? [] : ['--site', order.siteFile]),
    ...(order.lockFile === undefined ? [] : ['--lock', order.lockFile]),
    '--fix',
    ...(order.fix ? [] : ['--dry-run']),
  ];
  return shellLine(['slipway', 'mirrors', 'lint', ...words]);
}
