import { Readable } from 'node:stream';
import type { ByteStream } from './ports.ts';

/** Chunks of at most this many bytes: smaller reads cost up to twice the time (stack.md, section 4). */
export const chunkBytes = 256 * 1024;

/** Bytes at hand as a stream of chunks of at most 256 KiB. */
export async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** The whole of a stream, for content with a known small limit such as a manifest. */
export async function collectBytes(bytes: ByteStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/**
 * Lets go of a stream that nobody will read, so that its connection or file is freed.
 * A Node stream must be destroyed: ending its iterator before the first read does nothing.
 */
export async function discardBytes(bytes: ByteStream): Promise<void> {
  if (bytes instanceof Readable) {
    // A response that is cut off on purpose reports that as an error, to nobody.
    bytes.on('error', () => {});
    bytes.destroy();
    return;
  }
  await bytes[Symbol.asyncIterator]().return?.();
}

/**
 * The same stream, ending with the signal's reason as soon as `signal` aborts, also while the
 * sender is silent; the sender's stream is then let go of.
 */
export async function* stoppable(
  bytes: ByteStream,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted();
  const iterator = bytes[Symbol.asyncIterator]();
  let stop: (reason: unknown) => void = () => {};
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let isEnded = false;
  try {
    for (;;) {
      // Not Promise.race with one long-lived promise: that would remember every chunk.
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        stop = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) {
        isEnded = true;
        return;
      }
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!isEnded) void release(bytes, iterator);
  }
}

/** Not awaited by anybody: a silent sender may never answer. */
async function release(bytes: ByteStream, iterator: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    if (bytes instanceof Readable) await discardBytes(bytes);
    else await iterator.return?.();
  } catch {
    // The stream is given up anyway, and its first failure has been reported.
  }
}
