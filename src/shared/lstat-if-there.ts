import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { systemCode } from './errors.ts';

/** What bears the name itself, links not followed; undefined if nothing does. */
export async function lstatIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
