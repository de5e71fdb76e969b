import { bytesOf } from '../../../content/byte-streams.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import { inlineData } from '../../../oci/manifest-parts.ts';
import { retry, retryIfMarked } from '../../../shared/retry.ts';
import { at, CopyFailures } from './failures.ts';
import type { ImageCopy } from './image-copy.ts';
import { OutboundBytes } from './outbound-bytes.ts';

/**
 * Brings one blob into the target's repository in the cheapest way: known from earlier in the run,
 * found there, mounted from another repository, made from inline data, or streamed.
 *
 * Nobody holds a slot while waiting for another image to bring the same blob.
 */
export async function ensureBlob(copy: ImageCopy, blob: Descriptor): Promise<void> {
  const { memory, job, run } = copy;
  if (memory.holdsBlob(job.target.label, blob.digest)) return;
  await memory.questions.run(`blob ${job.target.label} ${blob.digest}`, async () => {
    if (memory.holdsBlob(job.target.label, blob.digest)) return;
    run.expect({ bytes: blob.size });
    if (await findBlob(copy, blob)) memory.rememberBlob(job.target.label, blob.digest);
    else await memory.uploads.run(blob.digest, () => bringBlob(copy, blob));
  });
}

async function findBlob(copy: ImageCopy, blob: Descriptor): Promise<boolean> {
  const { target } = copy.job;
  const find = () => target.find(blob.digest, copy.run);
  const foundBytes = await inSlot(copy, () => atTarget(copy, blob, find));
  // One of another size is damaged, or the descriptor is wrong: sending it will tell.
  if (foundBytes !== blob.size) return false;
  return finish(copy, blob, 'present');
}

async function bringBlob(copy: ImageCopy, blob: Descriptor): Promise<void> {
  const { memory, job } = copy;
  await inSlot(copy, async () => {
    // While this one waited, another image may have needed the blob here first, see fillHome.
    if (memory.holdsBlob(job.target.label, blob.digest)) return finish(copy, blob, 'present');
    await fillHome(copy, blob);
    if (!(await mountBlob(copy, blob))) await sendBlob(copy, blob);
  });
  // Before the next image gets its turn: it is to find the blob held here.
  copy.memory.rememberBlob(copy.job.target.label, blob.digest);
}

/** Sends a blob to the repository that is its home, unless it is there or can be had elsewhere. */
async function fillHome(copy: ImageCopy, blob: Descriptor): Promise<void> {
  const { memory, job, run } = copy;
  const home = job.homeOf?.(blob.digest);
  if (home === undefined || home.label === job.target.label || !job.target.mount) return;
  if (memory.isHeld(blob.digest)) return;
  const atHome = { ...copy, job: { ...job, target: home } };
  try {
    const size = await atTarget(atHome, blob, () => home.find(blob.digest, run));
    if (size !== blob.size) {
      run.expect({ bytes: blob.size });
      await sendBlob(atHome, blob);
    }
    memory.rememberBlob(home.label, blob.digest);
  } catch (error) {
    run.signal.throwIfAborted();
    const isSourceAtFault =
      error instanceof CopyFailures && error.failures.some(({ side }) => side === 'source');
    if (isSourceAtFault) throw error;
    // This image need not fail because another one's repository does.
    run.log.debug('home refused', { digest: blob.digest, home: home.label, error });
  }
}

async function mountBlob(copy: ImageCopy, blob: Descriptor): Promise<boolean> {
  const { memory, job, run } = copy;
  if (job.target.mount === undefined) return false;
  const from = memory.mountCandidate(job.target.label, blob.digest);
  if (from === undefined) return false;
  const isMounted = await tryMount(copy, blob, from);
  memory.noteMount(isMounted);
  if (isMounted) return finish(copy, blob, 'mounted');
  run.signal.throwIfAborted();
  return false;
}

/** Mounting only saves work: whatever goes wrong with it, sending the blob shows it or succeeds. */
async function tryMount(copy: ImageCopy, blob: Descriptor, from: string): Promise<boolean> {
  const { target } = copy.job;
  try {
    return (await target.mount?.(blob, from, copy.run)) ?? false;
  } catch (error) {
    copy.run.log.debug('mount failed', { digest: blob.digest, from, to: target.label, error });
    return false;
  }
}

async function sendBlob(copy: ImageCopy, blob: Descriptor): Promise<void> {
  const { source } = copy.job;
  const place = { side: 'source', label: source.label, object: blob.digest } as const;
  const inline = await at(place, () => inlineData(blob));
  const open = async () => (inline === undefined ? source.open(blob, copy.run) : bytesOf(inline));
  const { retry: policy, random } = copy.setting;
  let isUnderWay = false;
  const send = async () => {
    const outbound = new OutboundBytes(copy, blob, open);
    isUnderWay = false;
    await transfer(copy, blob, outbound).finally(() => {
      isUnderWay = outbound.movedBytes > 0;
    });
  };
  // Before bytes have moved, the layers below have repeated whatever could be repeated.
  const decide = (error: unknown) => isUnderWay && mayRetry(error);
  await retry(send, { policy, random, decide, signal: copy.run.signal });
}

function mayRetry(error: unknown): boolean {
  return error instanceof CopyFailures && error.failures.every((one) => retryIfMarked(one.error));
}

async function transfer(copy: ImageCopy, blob: Descriptor, outbound: OutboundBytes): Promise<void> {
  try {
    await copy.job.target.put(blob, outbound.stream(), copy.run, { isMissing: true });
  } catch (error) {
    outbound.takeBack();
    throw outbound.blame(error);
  }
  // A target that did not read found the blob by itself, say after another process put it.
  const isSent = outbound.movedBytes > 0 || blob.size === 0;
  if (isSent) copy.tally.count('copied', blob.size);
  else finish(copy, blob, 'present');
}

function finish(copy: ImageCopy, blob: Descriptor, how: 'mounted' | 'present'): true {
  copy.tally.count(how, blob.size);
  copy.run.advance({ bytes: blob.size });
  return true;
}

function inSlot<T>(copy: ImageCopy, work: () => Promise<T>): Promise<T> {
  return copy.setting.blobSlots.run(async () => {
    copy.run.signal.throwIfAborted();
    return work();
  });
}

function atTarget<T>(copy: ImageCopy, blob: Descriptor, work: () => Promise<T>): Promise<T> {
  return at({ side: 'target', label: copy.job.target.label, object: blob.digest }, work);
}
