import { join } from 'node:path';
import { lstatIfThere } from './lstat-if-there.ts';

/** An empty file in an unfinished folder: whatever is in a folder with it is Slipway's to remove. */
export const partialMark = '.slipway-partial';

/** Whether a folder bears the mark; a link or a folder of that name is none. */
export async function isMarked(folder: string): Promise<boolean> {
  return (await lstatIfThere(join(folder, partialMark)))?.isFile() === true;
}
