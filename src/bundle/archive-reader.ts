import { open } from 'node:fs/promises';
import { chunkBytes as usualChunkBytes } from '../content/byte-streams.ts';
import type { RegularFile } from '../content/open-regular-file.ts';
import type { ReadOptions } from '../content/ports.ts';
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

/** From where on a file is read (its start unless given), and how. */
export interface StreamOptions extends ReadOptions {
  readonly fromByte?: number;
}

/** The bytes of a part of a file, one chunk at a time and none read ahead; fewer only where the file ends. */
export async function* readPart(
  file: ArchiveReader,
  { offset, size }: { readonly offset: number; readonly size: number },
  { fromByte = 0, chunkBytes = () => usualChunkBytes }: StreamOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let done = fromByte; done < size; ) {
    const chunk = await file.read(offset + done, Math.min(chunkBytes(), size - done));
    if (chunk.length === 0) return;
    done += chunk.length;
    yield chunk;
  }
}
