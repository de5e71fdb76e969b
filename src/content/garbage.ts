/** Garbage collection: keeps what the roots reach, removes the rest. */
import type { Descriptor } from '../oci/descriptor.ts';
import type { Digest } from '../oci/digest.ts';
import { ManifestInvalid, ManifestTooLarge } from '../oci/errors.ts';
import type { Manifest } from '../oci/manifest.ts';
import { type ManifestPart, partsOf } from '../oci/manifest-parts.ts';
import { isIndexType, isManifestType } from '../oci/media-types.ts';
import { mapBounded } from '../shared/bounded.ts';
import { describeError } from '../shared/errors.ts';
import type { Clock } from '../shared/ports.ts';
import type { Run } from '../shared/run.ts';
import { GarbageUnsure } from './errors.ts';
import type { BlobStore, StoredBlob } from './ports.ts';
import { readStoredManifest } from './stored-manifest.ts';

/** What to keep, and how carefully. */
export interface GarbagePlan {
  /** The manifests that must stay: whatever has a tag, a name or another reason. */
  readonly roots: readonly Descriptor[];
  /** Only report. */
  readonly dryRun?: boolean;
  /**
   * Blobs put within this time stay, whoever needs them: an image that is being pushed has its
   * manifest last. One hour unless given. 0 is safe only while nobody writes.
   */
  readonly graceMs?: number;
  /** The clock by which the store notes when a blob was put. */
  readonly clock: Clock;
}

/** What was (or, in a dry run, would be) done. */
export interface GarbageReport {
  readonly keptBlobs: number;
  /** Reached by no root, but too young to be removed. */
  readonly waitingBlobs: number;
  readonly removedBlobs: number;
  readonly freedBytes: number;
}

const defaultGraceMs = 60 * 60 * 1000;
const parallelReads = 8;

/**
 * Removes every blob that no root reaches: `collectGarbage(store, { roots, clock }, run)`.
 *
 * Follows indexes, configs, layers and subjects. A manifest that an index lists but the store does
 * not hold is a platform left out (sparse index). A root that is missing, or a manifest that is
 * there but cannot be read, ends the whole with GARBAGE_UNSURE before anything is removed.
 */
export async function collectGarbage(
  store: BlobStore,
  plan: GarbagePlan,
  run: Run,
): Promise<GarbageReport> {
  const { graceMs = defaultGraceMs, clock, dryRun = false } = plan;
  // Taken before marking: what comes in meanwhile is younger than this.
  const youngSinceMs = clock.now() - graceMs;
  const marked = await markFrom(store, plan.roots, run);
  const report = { keptBlobs: 0, waitingBlobs: 0, removedBlobs: 0, freedBytes: 0 };
  for await (const blob of store.list(run)) {
    if (marked.has(blob.digest)) report.keptBlobs += 1;
    else if (isYoung(blob, youngSinceMs)) report.waitingBlobs += 1;
    else {
      if (!dryRun) await store.remove(blob.digest, run);
      report.removedBlobs += 1;
      report.freedBytes += blob.size;
    }
  }
  return report;
}

function isYoung(blob: StoredBlob, youngSinceMs: number): boolean {
  return blob.storedAtMs !== undefined && blob.storedAtMs > youngSinceMs;
}

/** Every digest that the roots reach, one generation of manifests after the other. */
async function markFrom(
  store: BlobStore,
  roots: readonly Descriptor[],
  run: Run,
): Promise<ReadonlySet<Digest>> {
  const marked = new Set(roots.map((root) => root.digest));
  let generation = uniqueByDigest(roots);
  const rootDigests = new Set(marked);
  while (generation.length > 0) {
    const read = (item: Descriptor) => partsIn(store, item, rootDigests.has(item.digest), run);
    const parts = await mapBounded(generation, parallelReads, read, run.signal);
    const fresh = parts.flat().filter(({ descriptor }) => !marked.has(descriptor.digest));
    for (const { descriptor } of fresh) marked.add(descriptor.digest);
    generation = uniqueByDigest(fresh.filter(hasParts).map((part) => part.descriptor));
  }
  return marked;
}

function hasParts({ role }: ManifestPart): boolean {
  return role === 'manifest' || role === 'subject';
}

function uniqueByDigest(items: readonly Descriptor[]): Descriptor[] {
  return [...new Map(items.map((item) => [item.digest, item])).values()];
}

async function partsIn(
  store: BlobStore,
  item: Descriptor,
  isRoot: boolean,
  run: Run,
): Promise<readonly ManifestPart[]> {
  const manifest = await readOrUnsure(store, item, run);
  if (manifest !== undefined) return partsOf(manifest);
  if (isRoot && (await store.find(item.digest, run)) === undefined) {
    throw new GarbageUnsure({ digest: item.digest, reason: 'it is not in the store' });
  }
  return [];
}

/** Undefined for what is absent, and for what is no manifest by its type nor by its content. */
async function readOrUnsure(
  store: BlobStore,
  item: Descriptor,
  run: Run,
): Promise<Manifest | undefined> {
  const isManifest = isIndexType(item.mediaType) || isManifestType(item.mediaType);
  try {
    const declared = isManifest ? item.mediaType : undefined;
    return (await readStoredManifest(store, item.digest, declared, run))?.manifest;
  } catch (error) {
    run.signal.throwIfAborted();
    // BuildKit's cache lists layers in an index: what has another type may be no manifest.
    const isOther = error instanceof ManifestInvalid || error instanceof ManifestTooLarge;
    if (!isManifest && isOther) return undefined;
    throw new GarbageUnsure(
      { digest: item.digest, reason: describeError(error) },
      { cause: error },
    );
  }
}
