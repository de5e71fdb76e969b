import { systemCode } from '../shared/errors.ts';
import { DiskFull } from './errors.ts';

/**
 * What a failed write means: a full disk or used-up quota becomes DISK_FULL, naming where and how
 * much was to be written; everything else stays what it is.
 */
export function diskProblem(error: unknown, path: string, sizeBytes: number): unknown {
  const code = systemCode(error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new DiskFull({ path, sizeBytes }, { cause: error });
}
