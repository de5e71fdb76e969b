import { settleBounded } from '../../../shared/bounded.ts';
import type { Random } from '../../../shared/ports.ts';
import type { RetryPolicy } from '../../../shared/retry.ts';
import type { Run } from '../../../shared/run.ts';
import type { Slots } from '../../../shared/slots.ts';
import type { CopyJob, CopyOptions } from './copy-job.ts';
import { CopyFailures, type Place, placed } from './failures.ts';
import type { Tally } from './tally.ts';
import type { TargetMemory } from './target-memory.ts';

/** Options with their defaults filled in, and the slots that all images of a run share. */
export interface CopySetting {
  readonly options: CopyOptions;
  readonly blobSlots: Slots;
  readonly parallelImages: number;
  readonly parallelBlobs: number;
  readonly retry: RetryPolicy;
  readonly random: Random;
}

/** Everything that the steps of copying one image need. */
export interface ImageCopy {
  readonly job: CopyJob;
  readonly setting: CopySetting;
  readonly memory: TargetMemory;
  readonly tally: Tally;
  readonly run: Run;
}

const endless = new AbortController().signal;

/**
 * Runs `work` on every item, a few at a time, and rejects with all failures at the end, so that
 * one missing layer does not hide the next. After an abort the rest fails at once by itself.
 */
export async function forAll<Item, T>(
  copy: ImageCopy,
  items: readonly Item[],
  work: (item: Item) => Promise<T>,
): Promise<readonly T[]> {
  const outcomes = await settleBounded(items, copy.setting.parallelBlobs, work, endless);
  const failures = outcomes.flatMap((outcome) =>
    outcome.ok ? [] : placed(outcome.error, placeOf(copy)).failures,
  );
  if (failures.length > 0) throw new CopyFailures(failures);
  return outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
}

/** Where a failure belongs that no step has put down to something more exact. */
export function placeOf({ job }: ImageCopy): Place {
  return { side: 'target', label: job.target.label, object: job.tags[0] ?? job.reference };
}
