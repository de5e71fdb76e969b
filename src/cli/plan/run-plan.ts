import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TypedDocument } from '../../documents/document-kind.ts';
import { collectDocuments, failOnProblems } from '../../documents/read-documents.ts';
import { planLock } from '../../lock/plan-lock.ts';
import { planItems } from '../../lock/planned-items.ts';
import { releaseKind } from '../../release/check-release.ts';
import type { Lock } from '../../release/lock.ts';
import { formatLock, readLock } from '../../release/lock-document.ts';
import { loadMatrix, type Matrix } from '../../release/matrix.ts';
import { publishableArtefacts } from '../../release/publishable-artefacts.ts';
import type { Release } from '../../release/release.ts';
import { type SourcePolicy, sourcePolicyKind } from '../../release/source-policy.ts';
import { systemCode } from '../../shared/errors.ts';
import { outputPlaceOf } from '../../shared/output-place.ts';
import { formatCount } from '../../shared/quantities.ts';
import type { Run } from '../../shared/run.ts';
import { checkPublication } from '../../site/publication.ts';
import type { Site } from '../../site/site.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { DocumentsUnfit } from '../errors.ts';
import { readInput } from '../read-input.ts';
import { readSite } from '../read-site.ts';
import { RegistryOpener } from '../registries.ts';
import { openSourceFiles } from '../source-files.ts';
import { openSourceRegistries } from '../source-registries.ts';
import { PlanFolder } from './plan-folder.ts';
import { planNotes } from './plan-notes.ts';
import { formatPlan } from './plan-view.ts';
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
  const sites = await Promise.all(order.siteFiles.map((file) => readSite(file, context)));
  const { release, policy } = await readPlanDocuments(context, order.files, matrix);
  const output = order.output ?? `${release.value.metadata.name}.lock.yaml`;
  const path = resolve(context.environment.cwd, output);
  const earlier = await readEarlier(path, output);
  const items = planItems(release, matrix, policy?.value);
  const request = {
    release,
    policy,
    matrix,
    items,
    earlier,
    sites: sites.map((site) => site.value),
  };
  const { lock, isChanged } = order.isOffline
    ? await planOffline(request, path, context.run)
    : await context.run.step('resolve', (run) => planOnline(context, request, path, run));
  const notes = [...planNotes(lock, earlier), ...publicationNotes(lock, request.sites)];
  return {
    json: { lock: output, isChanged, totals: lock.spec.totals, notes },
    text: formatPlan({ lock, notes, output, isChanged, policyFile: policy?.file }),
  };
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

/** The Lock that is there already. A file that is none is not ours to write over: DOCUMENT_INVALID. */
async function readEarlier(path: string, shown: string): Promise<Lock | undefined> {
  // A terminal or a pipe keeps no Lock, and to read from one would wait for ever.
  if ((await outputPlaceOf(path)).kind !== 'file') return undefined;
  try {
    return readLock(await readFile(path), shown);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

type Request = Parameters<typeof planLock>[0] & { readonly sites: readonly Site[] };

/** A Lock, and whether it says something else than the file that was there. */
interface PlannedLock {
  readonly lock: Lock;
  readonly isChanged: boolean;
}

async function planOffline(request: Request, lockPath: string, run: Run): Promise<PlannedLock> {
  const lock = await planFor(request, undefined, run);
  const text = formatLock(lock);
  if (isSame(request, text)) return { lock, isChanged: false };
  await using folder = await PlanFolder.open(lockPath);
  await folder.publish(text);
  await folder.remove();
  return { lock, isChanged: true };
}

async function planOnline(
  context: CommandContext,
  request: Request,
  lockPath: string,
  run: Run,
): Promise<PlannedLock> {
  await using opener = await RegistryOpener.create(context);
  const { images, charts } = request.items;
  const sources = [...images, ...charts].map((item) => item.source);
  const registries = await openSourceRegistries(sources, request.policy, opener);
  const files = openSourceFiles(request.policy, opener);
  await using folder = await PlanFolder.open(lockPath);
  const lock = await planFor(
    request,
    {
      sourceOf: (source) => registries.repositoryOf(source),
      fileSize: (url, inner) => files.sizeOf(url, inner),
      cache: folder.cache,
    },
    run,
  );
  const text = formatLock(lock);
  const isChanged = !isSame(request, text);
  // Before the folder goes: killed in between, the next plan finds one of the two.
  if (isChanged) await folder.publish(text);
  await folder.remove();
  return { lock, isChanged };
}

/** The Lock, if every Site can hold it. PUBLISH_COLLISION before anything is written. */
async function planFor(
  request: Request,
  ports: Parameters<typeof planLock>[1],
  run: Run,
): Promise<Lock> {
  const lock = await planLock(request, ports, run);
  for (const { spec } of request.sites) {
    checkPublication(publishableArtefacts(lock), spec.registries);
  }
  return lock;
}

function isSame({ earlier }: Request, text: string): boolean {
  return earlier !== undefined && formatLock(earlier) === text;
}
