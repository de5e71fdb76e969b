/** Disks of a node on which a process ends, or that refuse, at a chosen call. */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STATE_FOLDER } from '../../src/mirrors/write/last-change.ts';
import { type NodeDisk, systemDisk } from '../../src/mirrors/write/node-disk.ts';

/** A disk with a count of what was asked of it. */
export interface CountedDisk {
  readonly disk: NodeDisk;
  calls(): number;
}

/**
 * The machine's own file system, without the wait for its disk: what a killed process left is there at
 * once for all others. Only a power cut tells the two apart, and no test of these cuts the power.
 */
export const unsyncedDisk: NodeDisk = {
  ...systemDisk,
  async open(path, flags, mode) {
    const file = await systemDisk.open(path, flags, mode);
    return Object.assign(file, { sync: async () => {}, datasync: async () => {} });
  },
};

/** Asks `before` with the number of each call, from 0; what it does happens first, then `real` does it. */
export function countedDisk(
  before: (call: number, path: string, isNewFile: boolean) => Promise<void>,
  real: NodeDisk = unsyncedDisk,
): CountedDisk {
  let calls = 0;
  const next = (path: string, isNewFile = false) => before(calls++, path, isNewFile);
  const disk: NodeDisk = {
    async open(path, flags, mode) {
      await next(path, flags === 'wx');
      return real.open(path, flags, mode);
    },
    async rename(from, to) {
      await next(to);
      return real.rename(from, to);
    },
    async mkdir(path, mode) {
      await next(path);
      return real.mkdir(path, mode);
    },
    async remove(path) {
      await next(path);
      return real.remove(path);
    },
    async rmdir(path) {
      await next(path);
      return real.rmdir(path);
    },
  };
  return { disk, calls: () => calls };
}

/**
 * Does the work as a process that is killed before call number `at`: nothing happens any more, no `finally`
 * either, and a file that was just made is half written. False when the work ended before that.
 */
export async function killedAt(
  at: number,
  work: (disk: NodeDisk) => Promise<unknown>,
): Promise<boolean> {
  const { promise: killed, resolve } = Promise.withResolvers<'killed'>();
  const { disk } = countedDisk(async (call, path, isNewFile) => {
    if (call < at) return;
    if (call === at && isNewFile) await writeFile(path, 'ha');
    resolve('killed');
    await new Promise(() => {});
  });
  return (await Promise.race([work(disk), killed])) === 'killed';
}

/** Its lock as another process finds it that may take it over: this one, which lives, never held it. */
export async function letGoOfLock(root: string): Promise<void> {
  await rm(join(root, STATE_FOLDER, 'lock'), { force: true });
}

/** Refuses call number `at`, and with `andAfter` all later ones, as the system does: `ENOSPC`. */
export function refusingDisk(at: number, code: string, andAfter = false): CountedDisk {
  return countedDisk(async (call, path) => {
    if (call !== at && !(andAfter && call > at)) return;
    throw Object.assign(new Error(`${code}: refused, '${path}'`), { code });
  });
}

/** While one waits for its files, another plans. */
const atOnce = 8;

/** Calls `look` with 0, 1, 2 and so on until it says that there was no such call; gives how many there were. */
export async function atEveryCall(look: (at: number) => Promise<boolean>): Promise<number> {
  for (let first = 0; ; first += atOnce) {
    const calls = Array.from({ length: atOnce }, (_, index) => first + index);
    const end = (await Promise.all(calls.map(look))).indexOf(false);
    if (end !== -1) return first + end;
  }
}
