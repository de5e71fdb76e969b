import { discardBytes } from '../../../content/byte-streams.ts';
import { BlobDigestMismatch, BlobSizeMismatch } from '../../../content/errors.ts';
import type { ByteStream } from '../../../content/ports.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import { type CopyFailures, placed } from './failures.ts';
import type { ImageCopy } from './image-copy.ts';

/**
 * The bytes of one blob on their way to the target: opened at the source when the first one is
 * wanted, counted as they pass, and remembering whether it was the source that failed.
 */
export class OutboundBytes {
  readonly #copy: ImageCopy;
  readonly #blob: Descriptor;
  readonly #open: () => Promise<ByteStream>;
  #sourceFailure: { readonly error: unknown } | undefined;
  movedBytes = 0;

  constructor(copy: ImageCopy, blob: Descriptor, open: () => Promise<ByteStream>) {
    this.#copy = copy;
    this.#blob = blob;
    this.#open = open;
  }

  async *stream(): AsyncGenerator<Uint8Array, void, undefined> {
    const bytes = await this.#blaming(this.#open());
    const iterator = bytes[Symbol.asyncIterator]();
    let isEnded = false;
    try {
      for (;;) {
        const next = await this.#blaming(iterator.next());
        isEnded = next.done === true;
        if (next.done === true) return;
        this.#count(next.value.length);
        yield next.value;
      }
    } finally {
      if (!isEnded) await release(bytes, iterator);
    }
  }

  /** Who is to blame when the target's `put` rejects with `error`. */
  blame(error: unknown): CopyFailures {
    const { source, target } = this.#copy.job;
    const object = this.#blob.digest;
    const atSource = { side: 'source', label: source.label, object } as const;
    if (this.#sourceFailure !== undefined) return placed(this.#sourceFailure.error, atSource);
    const own = { side: 'source', label: source.label } as const;
    if (error instanceof BlobSizeMismatch) {
      return placed(new BlobSizeMismatch({ ...error.data, ...own }, { cause: error }), atSource);
    }
    if (error instanceof BlobDigestMismatch) {
      return placed(new BlobDigestMismatch({ ...error.data, ...own }, { cause: error }), atSource);
    }
    return placed(error, { side: 'target', label: target.label, object });
  }

  /** Announces the bytes once more that have to be sent again. */
  takeBack(): void {
    this.#copy.run.expect({ bytes: this.movedBytes });
  }

  #count(byteCount: number): void {
    this.movedBytes += byteCount;
    this.#copy.run.advance({ bytes: byteCount });
  }

  async #blaming<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.#sourceFailure = { error };
      throw error;
    }
  }
}

/** The stream was begun, so its iterator can end it; a Node stream is destroyed with it. */
async function release(bytes: ByteStream, iterator: AsyncIterator<Uint8Array>): Promise<void> {
  if (iterator.return === undefined) await discardBytes(bytes);
  else await iterator.return();
}
