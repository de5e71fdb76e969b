import type { ByteStream } from '../content/ports.ts';
import { verifying } from '../content/verifying.ts';
import type { Run } from '../shared/run.ts';
import type { BundledFile } from './bundle-manifest.ts';

/** Writes are gathered up to this size; the next ones are gathered while they go to the file. */
const writeBytes = 1024 * 1024;

/** After so many bytes the disk is told to begin, so that it does not stand idle until the end. */
const flushBytes = 16 * 1024 * 1024;

/** The part of an open file that is used here. */
export interface WritableFile {
  writev(chunks: readonly Uint8Array[], offset: number): Promise<{ readonly bytesWritten: number }>;
}

/** A place in an open file. */
export interface WritePlace {
  readonly file: WritableFile;
  readonly offset: number;
  /** Brings to the disk what was written so far. */
  flush(): Promise<void>;
}

/** Writes a stream to a place in an open file, and checks it on the way; syncing is left to the caller. */
export async function writeVerified(
  place: WritePlace,
  blob: BundledFile,
  bytes: ByteStream,
  run: Run,
): Promise<void> {
  const writer = new PlacedWriter(place);
  const origin = { side: 'source', label: blob.path } as const;
  try {
    for await (const chunk of verifying(blob, origin)(bytes)) {
      run.signal.throwIfAborted();
      await writer.add(chunk);
    }
  } finally {
    await writer.end();
  }
}

/** Writes all of `chunks` from `offset` on; a single write may take less. */
export async function writeAt(
  file: WritableFile,
  offset: number,
  chunks: readonly Uint8Array[],
): Promise<void> {
  const count = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (count === 0) return;
  const { bytesWritten } = await file.writev(chunks, offset);
  if (bytesWritten === count) return;
  // The kernel took a part (a nearly full disk does that): the rest goes in one piece.
  await writeAt(file, offset + bytesWritten, [Buffer.concat(chunks).subarray(bytesWritten)]);
}

/** Gathers chunks, with one write and one flush under way. Call `end` also after a failure. */
class PlacedWriter {
  readonly #file: WritableFile;
  readonly #flushFile: () => Promise<void>;
  #offset: number;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #unflushedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #flushing: Promise<void> = Promise.resolve();
  #isFlushing = false;

  constructor({ file, offset, flush }: WritePlace) {
    this.#file = file;
    this.#flushFile = flush;
    this.#offset = offset;
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes < writeBytes) return;
    await this.#write();
    if (this.#unflushedBytes >= flushBytes) this.#flush();
  }

  async end(): Promise<void> {
    try {
      await this.#write();
      await this.#writing;
    } finally {
      await this.#flushing;
    }
  }

  async #write(): Promise<void> {
    const [chunks, count] = [this.#gathered, this.#gatheredBytes];
    [this.#gathered, this.#gatheredBytes] = [[], 0];
    await this.#writing;
    this.#writing = writeAt(this.#file, this.#offset, chunks);
    this.#offset += count;
    this.#unflushedBytes += count;
    // Awaited by the next write; until then a failure must not count as unhandled.
    void this.#writing.catch(() => {});
  }

  #flush(): void {
    if (this.#isFlushing) return;
    this.#unflushedBytes = 0;
    this.#isFlushing = true;
    // A failure stays: the kernel tells of lost bytes once only.
    const flushing = this.#flushing.then(this.#flushFile);
    this.#flushing = flushing;
    const done = () => {
      this.#isFlushing = false;
    };
    void flushing.then(done, done);
  }
}
