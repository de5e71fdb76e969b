import { statfs } from 'node:fs/promises';
import { DiskTooSmall } from './errors.ts';

/** How many bytes the disk of a folder can still take. */
export type FreeBytes = (folder: string) => Promise<number>;

const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Refuses to begin what cannot end: DISK_TOO_SMALL if the disk of `folder` has less room than
 * `needBytes`. Others may fill the disk later; DISK_FULL says so then.
 */
export async function requireDiskSpace(
  folder: string,
  needBytes: number,
  ask: FreeBytes = freeBytesOf,
): Promise<void> {
  const freeBytes = await ask(folder);
  if (freeBytes < needBytes) throw new DiskTooSmall({ path: folder, needBytes, freeBytes });
}
