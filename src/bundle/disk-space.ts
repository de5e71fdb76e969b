import { statfs } from 'node:fs/promises';
import { DiskTooSmall } from './errors.ts';

/**
 * Refuses to begin what cannot end: DISK_TOO_SMALL if the disk of `folder` has less room than
 * `needBytes`. Others may fill the disk later; DISK_FULL says so then.
 */
export async function requireDiskSpace(folder: string, needBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < needBytes) throw new DiskTooSmall({ path: folder, needBytes, freeBytes });
}
