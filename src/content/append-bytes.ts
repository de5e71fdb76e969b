/** Bytes at the end of a file, or from a place in it on: all of them, in big writes. */
import type { ByteStream } from './ports.ts';

/** The part of a file handle that appends. */
export interface AppendableFile {
  writev(chunks: readonly Uint8Array[]): Promise<{ readonly bytesWritten: number }>;
}

/** The part of a file handle that writes at any place. */
interface PlacedFile {
  writev(
    chunks: readonly Uint8Array[],
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
}

/** Writes are gathered up to this size; the next ones are gathered while they go to the disk. */
const writeBytes = 1024 * 1024;

/** `file` from `offset` on as something to append to; one append after the other. */
export function appendingAt(file: PlacedFile, offset: number): AppendableFile {
  let position = offset;
  return {
    async writev(chunks) {
      const written = await file.writev(chunks, position);
      position += written.bytesWritten;
      return written;
    },
  };
}

/** Appends all of `chunks`; a single write may take less. */
export async function appendAll(
  file: AppendableFile,
  chunks: readonly Uint8Array[],
): Promise<void> {
  const count = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (count === 0) return;
  const { bytesWritten } = await file.writev(chunks);
  if (bytesWritten === count) return;
  // The kernel took a part (a nearly full disk does that): the rest goes in one piece.
  await appendAll(file, [Buffer.concat(chunks).subarray(bytesWritten)]);
}

/**
 * Appends a stream to a file in big writes, one of them under way while the next is gathered.
 * Calls `kept` with the length of each piece that has reached the file, in order.
 * Rejects with what the stream or the disk rejects with. When the stream breaks off, every chunk
 * that it gave out before is in the file.
 */
export async function appendStream(
  file: AppendableFile,
  bytes: ByteStream,
  kept: (byteCount: number) => void = () => {},
): Promise<void> {
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const [chunks, count] = [gathered, gatheredBytes];
    [gathered, gatheredBytes] = [[], 0];
    await writing;
    writing = appendAll(file, chunks).then(() => kept(count));
    // Awaited by the next flush; until then a failure must not count as unhandled.
    void writing.catch(() => {});
  };
  try {
    for await (const chunk of bytes) {
      gathered.push(chunk);
      gatheredBytes += chunk.length;
      if (gatheredBytes >= writeBytes) await flush();
    }
  } finally {
    await flush();
    await writing;
  }
}
