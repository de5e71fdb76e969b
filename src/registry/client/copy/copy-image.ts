import type { Descriptor } from '../../../oci/descriptor.ts';
import type { CopyOutcome } from './copy-job.ts';
import { copyParts } from './copy-tree.ts';
import { placed } from './failures.ts';
import { type FetchedManifest, fetchRoot } from './fetch-manifest.ts';
import { type ImageCopy, placeOf } from './image-copy.ts';
import { requireEntries } from './require-entries.ts';
import { storeManifest, type TargetState, targetState } from './store-manifest.ts';

/**
 * Copies one image: index → images → config and layers, then back up, the tags last.
 *
 * Rejects only when the run is aborted; every other failure is in the outcome.
 */
export async function copyImage(copy: ImageCopy): Promise<CopyOutcome> {
  const { tally, run } = copy;
  try {
    const root = await copyRoot(copy);
    const { tagChanges, rewrites } = tally;
    return { ...soFar(copy), kind: 'done', root, isChanged: hasMoved(copy), tagChanges, rewrites };
  } catch (error) {
    run.signal.throwIfAborted();
    return { ...soFar(copy), kind: 'failed', failures: placed(error, placeOf(copy)).failures };
  }
}

async function copyRoot(copy: ImageCopy): Promise<Descriptor> {
  const { memory, job } = copy;
  const fetched = await fetchRoot(copy);
  const { digest } = fetched.content.descriptor;
  await requireEntries(copy, fetched);
  const state = await targetState(copy, digest, job.tags);
  const ready = isWhole(copy, fetched, state)
    ? { content: fetched.content }
    : await copyParts(copy, fetched);
  const root = await storeManifest(copy, ready, state);
  if (fetched.manifest.kind !== 'index') memory.rememberManifest(job.target.label, digest);
  return root;
}

/** An index that is there may be sparse, so its images are asked about one by one. */
function isWhole(copy: ImageCopy, fetched: FetchedManifest, state: TargetState): boolean {
  if (fetched.manifest.kind === 'index') return false;
  if (copy.memory.holdsManifest(copy.job.target.label, state.digest)) return true;
  return state.hasDigest && copy.setting.options.recheckBlobs !== true;
}

function soFar({ job, tally }: ImageCopy) {
  return { job, counts: tally.counts, foreignLayers: tally.foreignLayers };
}

function hasMoved({ tally }: ImageCopy): boolean {
  return tally.copied.blobs + tally.mounted.blobs + tally.manifestsPut > 0;
}
