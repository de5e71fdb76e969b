import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { systemCode } from '../shared/errors.ts';

/** An open file and the bytes that it had then. */
export interface RegularFile {
  readonly file: FileHandle;
  readonly size: number;
}

/** What open answers for a link (ELOOP), a socket (ENXIO), and a way that is none. */
const absences = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'];

/**
 * Opens a file of a store or bundle for reading; undefined if nothing is there, or no regular file.
 *
 * Its folder may be anybody's: a link would lead out of it, and to open a pipe could wait for ever. What
 * was looked at before may have been replaced since, so it is the open file that is asked.
 */
export async function openRegularFile(path: string): Promise<RegularFile | undefined> {
  const file = await openWithoutWaiting(path);
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (found.isFile()) return { file, size: found.size };
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

async function openWithoutWaiting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (absences.includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
