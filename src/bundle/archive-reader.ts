import { type FileHandle, open } from 'node:fs/promises';

/** A `.tar` that is read at any place. */
export interface ArchiveReader extends AsyncDisposable {
  readonly size: number;
  /** Exactly `length` bytes from `offset` on, fewer only where the archive ends. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Opens the archive at `path`. */
export async function openArchiveFile(path: string): Promise<ArchiveReader> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return {
      size,
      read: (offset, length) => readAt(file, offset, length),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
