/** The one copy engine: from any image source to any image target. */
import { settleBounded } from '../../../shared/bounded.ts';
import type { Run } from '../../../shared/run.ts';
import { Slots } from '../../../shared/slots.ts';
import { copyImage } from './copy-image.ts';
import type { CopyJob, CopyOptions, CopyOutcome, CopyResult } from './copy-job.ts';
import type { CopySetting } from './image-copy.ts';
import { sumOf, Tally } from './tally.ts';
import { TargetMemories } from './target-memory.ts';

const defaultParallel = 8;
const defaultRetry = { attempts: 3, firstDelayMs: 1000, maxDelayMs: 30_000 };

/**
 * Copies images, each blob fetched once per run and target registry, hashed once (by the target),
 * mounted where the registry has it already, and never asked about twice:
 * `copyImages([{ source, reference: 'sha256:…', target, tags: ['3.9'] }], { random }, run)`.
 *
 * A failing image does not stop the others: each has its outcome, in the order of the jobs, with
 * the side and place of every failure. What is at the target already is not sent again; a tag
 * that names another image is moved and reported. Rejects only when the run is aborted.
 * Memory grows with the number of distinct blobs (names only), not with their sizes.
 */
export async function copyImages(
  jobs: readonly CopyJob[],
  options: CopyOptions,
  run: Run,
): Promise<CopyResult> {
  const setting = settingOf(options);
  const memories = new TargetMemories();
  run.expect({ items: jobs.length });
  const copyOne = async (job: CopyJob): Promise<CopyOutcome> => {
    run.signal.throwIfAborted();
    const memory = memories.of(job.target);
    const outcome = await run.step(nameOf(job), (step) =>
      copyImage({ job, setting, memory, tally: new Tally(), run: step }),
    );
    run.advance({ items: 1 });
    return outcome;
  };
  // Not the run's signal: after an abort, wait until everything under way has let go.
  const endless = new AbortController().signal;
  const settled = await settleBounded(jobs, setting.parallelImages, copyOne, endless);
  run.signal.throwIfAborted();
  return resultOf(settled.map((outcome) => unwrap(outcome)));
}

function settingOf(options: CopyOptions): CopySetting {
  const parallelBlobs = options.parallelBlobs ?? defaultParallel;
  return {
    options,
    parallelBlobs,
    parallelImages: options.parallelImages ?? defaultParallel,
    blobSlots: new Slots(parallelBlobs),
    retry: options.retry ?? defaultRetry,
    random: options.random,
  };
}

/** `copy registry.k8s.io/pause:3.9`, by the name it gets; by its digest if it gets none. */
function nameOf({ target, tags, reference }: CopyJob): string {
  const [tag] = tags;
  return `copy ${target.label}${tag === undefined ? `@${reference}` : `:${tag}`}`;
}

type Settled =
  | { readonly ok: true; readonly value: CopyOutcome }
  | { readonly ok: false; readonly error: unknown };

/** Outcomes hold every failure of an image, so what is thrown is an abort or a fault of ours. */
function unwrap(settled: Settled): CopyOutcome {
  if (settled.ok) return settled.value;
  throw new Error('the copy engine failed', { cause: settled.error });
}

function resultOf(images: readonly CopyOutcome[]): CopyResult {
  const failed = images.filter((image) => image.kind === 'failed').length;
  const totals = sumOf(images.map((image) => image.counts));
  return { images, totals: { ...totals, done: images.length - failed, failed } };
}
