import { SlipwayError, systemCode } from '../../shared/errors.ts';
import { PERMISSION_DENIED } from '../permission-denied.ts';

/** A full disk, or a used-up quota. */
export const NO_ROOM = 'there is no room left on its file system';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  DISK_FULL: NO_ROOM,
  EROFS: 'its file system is read-only',
  EACCES: PERMISSION_DENIED,
  EPERM: 'operation not permitted; lsattr shows whether it is immutable',
  EBUSY: 'something is mounted there',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ELOOP: 'links form a circle',
  ENAMETOOLONG: 'file name too long',
};

/** Why the system refused a change, in words: ENOSPC → `there is no room left on its file system`. */
export function refusalReason(error: unknown): string | undefined {
  const code = systemCode(error);
  if (code === undefined) return undefined;
  return reasons[code] ?? (error instanceof SlipwayError ? undefined : code);
}
