import { open } from 'node:fs/promises';
import type { RegularFile } from '../content/open-regular-file.ts';
import { readAt } from '../shared/read-at.ts';

/** A file, mostly a `.tar`, that is read at any place. */
export interface ArchiveReader extends AsyncDisposable {
  readonly size: number;
  /** Exactly `length` bytes from `offset` on, fewer only where the file ends. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** Opens the file at `path`. */
export async function openArchiveFile(path: string): Promise<ArchiveReader> {
  const file = await open(path, 'r');
  try {
    return archiveReader({ file, size: (await file.stat()).size });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads an open file, and closes it in the end. */
export function archiveReader({ file, size }: RegularFile): ArchiveReader {
  return {
    size,
    read: (offset, length) => readAt(file, offset, length),
    [Symbol.asyncDispose]: () => file.close(),
  };
}
