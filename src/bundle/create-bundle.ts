import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bytesOf } from '../content/byte-streams.ts';
import { DiskFull } from '../content/errors.ts';
import { takeLock } from '../content/lock-file.ts';
import type { ByteStream, ImageSource } from '../content/ports.ts';
import type { Digest } from '../oci/digest.ts';
import type { Lock, LockedSource } from '../release/lock.ts';
import { type Outcome, settleBounded } from '../shared/bounded.ts';
import { type Run, startRun, withSignal } from '../shared/run.ts';
import type { BundledFile, BundlePurpose } from './bundle-manifest.ts';
import {
  type BundleContents,
  type BundleEntry,
  type BundleRecipe,
  bundleContents,
} from './contents.ts';
import { type FreeBytes, requireDiskSpace } from './disk-space.ts';
import {
  BundleExists,
  BundleFetchFailed,
  BundleIncomplete,
  BundleMismatch,
  BundleNotForOthers,
  BundleNotFound,
} from './errors.ts';
import { groupFailures } from './failure-groups.ts';
import { type BlobOrigin, originsOf } from './fetch-plan.ts';
import { fileFault } from './file-fault.ts';
import { requireFreeName } from './free-name.ts';
import { matrixFault } from './matrix-fault.ts';
import { hasJournal, removeJournalOf } from './partial-archive.ts';
import { notForOthers } from './purpose.ts';
import { openBundleFiles } from './read-bundle.ts';
import { readIdentified } from './read-manifest.ts';
import type { BundleSink, OpenSink } from './sink.ts';

/** Where a bundle's content comes from. */
export interface BundleSources {
  repositoryOf(source: LockedSource): ImageSource;
  /** A plain file by the URL in the Lock. */
  openFile(url: string, run: Run): Promise<ByteStream>;
}

/** Where the bundle goes; {@link BundleSink} says how it is written. */
export interface BundleDestination {
  readonly path: string;
  readonly openSink: OpenSink;
  /** Room on the disk of a folder; by default what the system says. */
  readonly freeBytes?: FreeBytes;
}

/** What a run did; a second run of finished work has `fetchedBytes: 0`. */
export interface BundleReport {
  readonly path: string;
  readonly purpose: BundlePurpose;
  /** Digest of `bundle.json`, and so of all that the bundle holds: what to compare with its maker. */
  readonly identity: Digest;
  /** Everything that lies in it, `bundle.json` included. */
  readonly entries: number;
  readonly bytes: number;
  readonly fetchedBytes: number;
  /** False: the bundle was there already, made from the same Lock. */
  readonly isNew: boolean;
}

/** Blobs under way at the same time, over all registries. */
const parallelFetches = 8;

/**
 * Makes a bundle from a Lock: fetches what is missing, checks it on the way, and gives it its name when
 * all is there. Killed at any point, the next run goes on (promise P4).
 *
 * Rejects before anything moves with BUNDLE_NOT_FOR_OTHERS, BUNDLE_MISMATCH (another matrix than the Lock's),
 * BUNDLE_EXISTS (another bundle has the name), BUNDLE_PARTIAL_FOREIGN, DISK_TOO_SMALL or STORE_LOCKED (another
 * process is making it); with BUNDLE_FETCH_FAILED after everything else was fetched.
 */
export async function createBundle(
  recipe: BundleRecipe,
  sources: BundleSources,
  destination: BundleDestination,
  run: Run,
): Promise<BundleReport> {
  const { lock, purpose } = recipe;
  const kept = purpose === 'own-use' ? [] : notForOthers(lock);
  if (kept.length > 0) throw new BundleNotForOthers({ kept });
  const { path } = destination;
  const why = matrixFault(lock, recipe.matrixText);
  if (why !== undefined) throw new BundleMismatch({ path, why });
  const contents = bundleContents(recipe);
  // Before the lock, so that beside a name that is taken, or on a medium that is read-only, nothing is made.
  if ((await isThere(path, contents, run)) && !(await hasJournal(path))) {
    return finishedReport(path, purpose, contents);
  }
  await mkdir(dirname(path), { recursive: true });
  const release = await takeLock(path, `${path}.partial.lock`);
  try {
    return await create({ recipe, contents, sources, destination }, run);
  } finally {
    await release();
  }
}

interface Creation {
  readonly recipe: BundleRecipe;
  readonly contents: BundleContents;
  readonly sources: BundleSources;
  readonly destination: BundleDestination;
}

async function create(
  { recipe: { lock, purpose }, contents, sources, destination }: Creation,
  run: Run,
): Promise<BundleReport> {
  const { path, openSink, freeBytes } = destination;
  const { entries, identity } = contents;
  const report = { path, purpose, identity, entries: entries.length };
  if (await isThere(path, contents, run)) {
    await removeJournalOf(path);
    return finishedReport(path, purpose, contents);
  }
  await using sink = await openSink(path, entries, run);
  const missing = entries.filter((entry) => !sink.has(entry));
  await requireDiskSpace(dirname(path), sumOf(missing), freeBytes);
  await fetchAll(missing, { lock, sources, sink }, run);
  await sink.publish(run);
  const fetchedBytes = sumOf(missing.filter((entry) => entry.kind !== 'written'));
  return { ...report, bytes: sumOf(entries), fetchedBytes, isNew: true };
}

/** What is said of a bundle that was there already. */
function finishedReport(
  path: string,
  purpose: BundlePurpose,
  { entries, identity }: BundleContents,
): BundleReport {
  const whole = { path, purpose, identity, entries: entries.length, bytes: sumOf(entries) };
  return { ...whole, fetchedBytes: 0, isNew: false };
}

/** True when the very bundle is there; another one under its name is never overwritten. */
async function isThere(
  path: string,
  { identity }: BundleContents,
  { signal }: Run,
): Promise<boolean> {
  try {
    await using files = await openBundleFiles(path, startRun({ signal }));
    if ((await readIdentified(files)).identity === identity) return true;
  } catch (error) {
    signal.throwIfAborted();
    const isAbsent = error instanceof BundleNotFound || error instanceof BundleIncomplete;
    if (!isAbsent) throw new BundleExists({ path }, { cause: error });
    // A link that leads nowhere has the name too.
    await requireFreeName(path);
    return false;
  }
  throw new BundleExists({ path });
}

interface FetchContext {
  readonly lock: Lock;
  readonly sources: BundleSources;
  readonly sink: BundleSink;
}

async function fetchAll(
  missing: readonly BundleEntry[],
  { lock, sources, sink }: FetchContext,
  run: Run,
): Promise<void> {
  const origins = originsOf(lock);
  run.expect({ bytes: sumOf(missing), items: missing.length });
  const full = new AbortController();
  const inner = withSignal(run, AbortSignal.any([run.signal, full.signal]));
  const fetchOne = async (entry: BundleEntry) => {
    try {
      const bytes = await openEntry(entry, origins, sources, inner);
      await sink.write(entry, counted(bytes, inner), inner);
      run.advance({ items: 1 });
    } catch (error) {
      // Nothing that comes after it would find room either.
      if (error instanceof DiskFull) full.abort(error);
      throw entry.kind === 'file' ? fileFault(entry.file, error) : error;
    }
  };
  const outcomes = await settleBounded(missing, parallelFetches, fetchOne, inner.signal);
  inner.signal.throwIfAborted();
  failOnAny(missing, outcomes, { origins, path: sink.partialPath });
}

function failOnAny(
  missing: readonly BundleEntry[],
  outcomes: readonly Outcome<void>[],
  { origins, path }: { readonly origins: BlobOrigins; readonly path: string },
): void {
  const failed = outcomes.flatMap((outcome, index) =>
    outcome.ok ? [] : [{ names: namesOf(missing[index], origins), error: outcome.error }],
  );
  if (failed.length === 0) return;
  const byName = failed.flatMap(({ names, error }) => names.map((name) => ({ name, error })));
  throw new BundleFetchFailed({ path, failed: failed.length, groups: groupFailures(byName) });
}

type BlobOrigins = ReadonlyMap<Digest, BlobOrigin>;

async function openEntry(
  entry: BundleEntry,
  origins: BlobOrigins,
  sources: BundleSources,
  run: Run,
): Promise<ByteStream> {
  if (entry.kind === 'written') return bytesOf(entry.bytes);
  if (entry.kind === 'file') return sources.openFile(entry.file.url, run);
  const origin = origins.get(entry.digest);
  if (origin === undefined) throw new RangeError(`${entry.digest} is in no image of the Lock`);
  const repository = sources.repositoryOf(origin.source);
  if (origin.kind === 'blob') return repository.open(entry, run);
  return bytesOf((await repository.fetchManifest(entry.digest, run)).bytes);
}

async function* counted(bytes: ByteStream, run: Run): ByteStream {
  for await (const chunk of bytes) {
    run.advance({ bytes: chunk.length });
    yield chunk;
  }
}

/** Everything that needs the entry; for what no image needs, its path. */
function namesOf(entry: BundleEntry | undefined, origins: BlobOrigins): readonly string[] {
  const origin = entry?.kind === 'blob' ? origins.get(entry.digest) : undefined;
  return origin?.neededBy ?? [entry?.path ?? '?'];
}

function sumOf(entries: readonly BundledFile[]): number {
  return entries.reduce((sum, entry) => sum + entry.size, 0);
}
