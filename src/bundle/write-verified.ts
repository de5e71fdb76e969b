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
  datasync(): Promise<void>;
}

/** A place in an open file. */
export interface WritePlace {
  readonly file: WritableFile;
  readonly offset: number;
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
  #offset: number;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #unflushedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #flushing: Promise<void> | undefined;

  constructor({ file, offset }: WritePlace) {
    this.#file = file;
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
    if (this.#flushing !== undefined) return;
    this.#unflushedBytes = 0;
    const done = () => {
      this.#flushing = undefined;
    };
    // Only a hint: the caller syncs at the end, and that tells what cannot be written.
    this.#flushing = this.#file.datasync().then(done, done);
  }
}
