import type { FileHandle } from 'node:fs/promises';
import type { ByteStream } from '../content/ports.ts';
import { verifying } from '../content/verifying.ts';
import type { Run } from '../shared/run.ts';
import type { BundledFile } from './bundle-manifest.ts';

/**
 * A bundle being written: a folder or one `.tar`. Entries may be written in any order and at the same
 * time. Under its final name the bundle appears only in `publish`, whole; what an earlier, killed run
 * finished is still there (`has`) and is not fetched again (promise P4).
 */
export interface BundleSink extends AsyncDisposable {
  /** Where the unfinished bundle lies, for messages. */
  readonly partialPath: string;
  has(file: BundledFile): boolean;
  /** Checks size and digest while the bytes pass; a failed write leaves the entry unwritten (DISK_FULL). */
  write(file: BundledFile, bytes: ByteStream, run: Run): Promise<void>;
  /** Call once, after every entry was written. */
  publish(run: Run): Promise<void>;
}

/** Writes a stream to a place in an open file, and checks it on the way. */
export async function writeVerified(
  target: { readonly file: FileHandle; readonly offset: number },
  blob: BundledFile,
  bytes: ByteStream,
  run: Run,
): Promise<void> {
  let at = target.offset;
  const origin = { side: 'source', label: blob.path } as const;
  for await (const chunk of verifying(blob, origin)(bytes)) {
    run.signal.throwIfAborted();
    await writeAt(target.file, at, chunk);
    at += chunk.length;
  }
}

/** Writes all of `chunk` at `offset`; a single write may take less. */
export async function writeAt(file: FileHandle, offset: number, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, offset + done);
    done += bytesWritten;
  }
}
