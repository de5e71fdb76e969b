import type { BlobRef } from '../../oci/descriptor.ts';
import { SingleFlight } from '../../shared/bounded.ts';
import type { Run } from '../../shared/run.ts';
import { discardBytes } from '../byte-streams.ts';
import type { ByteStream } from '../ports.ts';

/** What a store does to put one blob by itself. */
export interface SoleWriter {
  isPresent(blob: BlobRef): Promise<boolean>;
  write(blob: BlobRef, bytes: ByteStream, run: Run): Promise<void>;
}

/**
 * Lets several `put`s of one blob share a single write. Whoever comes first writes; the others
 * wait. If the first one fails, its source or its run was at fault, so the next one writes from
 * its own bytes and gets its own result. Bytes that are not needed are discarded unread.
 */
export class SharedWrites {
  readonly #flights = new SingleFlight<void>();
  readonly #writer: SoleWriter;

  constructor(writer: SoleWriter) {
    this.#writer = writer;
  }

  async put(blob: BlobRef, bytes: ByteStream, run: Run): Promise<void> {
    for (;;) {
      run.signal.throwIfAborted();
      if (await this.#writer.isPresent(blob)) return discardBytes(bytes);
      if (await this.#takePart(blob, bytes, run)) return;
    }
  }

  /** True once our own bytes are written; false after another one's attempt has ended. */
  async #takePart(blob: BlobRef, bytes: ByteStream, run: Run): Promise<boolean> {
    let isOurs = false;
    const flight = this.#flights.run(blob.digest, () => {
      isOurs = true;
      return this.#writer.write(blob, bytes, run);
    });
    if (isOurs) {
      await flight;
      return true;
    }
    await endOf(flight, run.signal);
    return false;
  }
}

/** Resolves when `work` has ended, however it ended, or when `signal` aborts. */
function endOf(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    work.then(done, done);
  });
}
