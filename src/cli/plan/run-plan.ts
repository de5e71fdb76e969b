import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TypedDocument } from '../../documents/document-kind.ts';
import { collectDocuments, failOnProblems } from '../../documents/read-documents.ts';
import { PlanWithoutLock } from '../../lock/errors.ts';
import { planItems } from '../../lock/planned-items.ts';
import { sourcePolicyKind } from '../../release/check-policy.ts';
import { releaseKind } from '../../release/check-release.ts';
import type { Lock } from '../../release/lock.ts';
import { readLock } from '../../release/lock-document.ts';
import { loadMatrix, type Matrix } from '../../release/matrix.ts';
import type { Release } from '../../release/release.ts';
import type { SourcePolicy } from '../../release/source-policy.ts';
import { systemCode } from '../../shared/errors.ts';
import { outputPlaceOf } from '../../shared/output-place.ts';
import { formatCount } from '../../shared/quantities.ts';
import type { Site } from '../../site/site.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { DocumentsUnfit } from '../errors.ts';
import { readInput } from '../read-input.ts';
import { changeNotes } from './change-notes.ts';
import { type LockRequest, type MadeLock, planOffline } from './make-lock.ts';
import { planNotes } from './plan-notes.ts';
import { classTotals, formatPlan, nextAfterPlan } from './plan-view.ts';
import { publicationNotes } from './publication-notes.ts';

/** What the user asked for. */
export interface PlanOrder {
  readonly files: readonly string[];
  readonly output: string | undefined;
  readonly isOffline: boolean;
  /** Sites that the Lock is meant for; each must be able to keep all images apart (R0-53). */
  readonly siteFiles: readonly string[];
}

/** Plans and writes the Lock; nothing is written when anything is in the way. */
export async function runPlan(context: CommandContext, order: PlanOrder): Promise<CommandResult> {
  const matrix = await loadMatrix();
  const sites = await readSites(context, order.siteFiles);
  const { release, policy } = await readPlanDocuments(context, order.files, matrix);
  const output = order.output ?? `${release.value.metadata.name}.lock.yaml`;
  const path = resolve(context.environment.cwd, output);
  const earlier = await readEarlier(path, output);
  if (order.isOffline && earlier === undefined) throw new PlanWithoutLock({ path: output });
  const items = planItems(release, matrix, policy?.value);
  const request = {
    ...{ release, policy, matrix, items, path },
    earlier: earlier?.lock,
    earlierText: earlier?.text,
    sites,
    tempFolder: context.environment.tempFolder,
  };
  const { lock, isChanged } = order.isOffline
    ? await planOffline(request, context.run)
    : await planOnline(context, request);
  const notes = [
    ...changeNotes(lock, earlier?.lock),
    ...planNotes(lock, earlier?.lock),
    ...publicationNotes(lock, request.sites),
  ];
  const view = { lock, notes, output, isChanged, policyFile: policy?.file };
  return {
    json: {
      lock: output,
      isChanged,
      totals: lock.spec.totals,
      classes: classTotals(lock),
      notes,
      next: nextAfterPlan(view),
    },
    text: formatPlan(view),
  };
}

async function readSites(context: CommandContext, files: readonly string[]): Promise<Site[]> {
  if (files.length === 0) return [];
  const { readSite } = await import('../read-site.ts');
  const sites = await Promise.all(files.map((file) => readSite(file, context)));
  return sites.map(({ value }) => value);
}

interface PlanDocuments {
  readonly release: TypedDocument<'Release', Release>;
  readonly policy: TypedDocument<'SourcePolicy', SourcePolicy> | undefined;
}

async function readPlanDocuments(
  context: CommandContext,
  files: readonly string[],
  matrix: Matrix,
): Promise<PlanDocuments> {
  const sources = await Promise.all(files.map((file) => readInput(file, context)));
  const { documents, problems } = collectDocuments(sources, [
    releaseKind(matrix),
    sourcePolicyKind,
  ]);
  failOnProblems(problems);
  const releases = documents.filter((document) => document.kind === 'Release');
  const policies = documents.filter((document) => document.kind === 'SourcePolicy');
  const [release] = releases;
  if (release === undefined || releases.length > 1 || policies.length > 1) {
    throw new DocumentsUnfit({
      files,
      wanted: 'one Release and at most one SourcePolicy',
      found: `${formatCount(releases.length, 'Release')} and ${formatCount(policies.length, 'SourcePolicy', 'SourcePolicies')}`,
    });
  }
  return { release, policy: policies[0] };
}

interface EarlierLock {
  readonly lock: Lock;
  readonly text: string;
}

/** Loads the client of registries, which a plan without a network does not need. */
async function planOnline(context: CommandContext, request: LockRequest): Promise<MadeLock> {
  const { askRegistries } = await import('./ask-registries.ts');
  return context.run.step('resolve', (run) => askRegistries(context, request, run));
}

/** The Lock that is there already. A file that is none is not ours to write over: DOCUMENT_INVALID. */
async function readEarlier(path: string, shown: string): Promise<EarlierLock | undefined> {
  // A terminal or a pipe keeps no Lock, and to read from one would wait for ever.
  if ((await outputPlaceOf(path)).kind !== 'file') return undefined;
  try {
    const content = await readFile(path);
    return { lock: readLock(content, shown), text: content.toString('utf8') };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
