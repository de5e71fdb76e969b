/** One run at a time changes a node: the lock is a file in the folder in which Slipway remembers what it did there. */

import { dirname, join } from 'node:path';
import { StoreLocked } from '../../content/errors.ts';
import { takeLock } from '../../content/lock-file.ts';
import { systemCode } from '../../shared/errors.ts';
import { lstatIfThere } from '../../shared/lstat-if-there.ts';
import { MirrorPathUnusable } from '../errors.ts';
import { MirrorNodeBusy } from './errors.ts';
import { placeOf } from './file-changes.ts';
import { LOCK_NAME, removeIfEmpty, STATE_FOLDER } from './last-change.ts';
import { type NodeDisk, systemDisk } from './node-disk.ts';
import { refusalReason } from './refusal-reason.ts';

/** A node that nobody else changes meanwhile. */
export interface NodeLock {
  readonly root: string;
  /** What everything is done with. */
  readonly disk: NodeDisk;
  /** Folders of the node that are there for Slipway's sake only: they go with the lock when nothing is in them. */
  readonly madeFolders: Set<string>;
}

/** Another run may end, and take its empty folders with it, while this one looks at its lock. */
const MOST_ATTEMPTS = 10;

/**
 * Does the work while no other run changes the node below `root`; never waits for one. The lock of a
 * dead process is taken over. Rejects with MIRROR_NODE_BUSY; MIRROR_PATH_UNUSABLE where there can be no
 * lock, and so no record of a change either; LOCK_FILE_FOREIGN.
 */
export async function whileLocked<T>(
  root: string,
  work: (lock: NodeLock) => Promise<T>,
  disk: NodeDisk = systemDisk,
): Promise<T> {
  const lock: NodeLock = { root, disk, madeFolders: new Set(await missingFolders(root)) };
  const release = await lockNode(lock).catch(async (error: unknown) => {
    await removeFolders(lock);
    throw error;
  });
  try {
    return await work(lock);
  } finally {
    await release();
    for (const folder of [STATE_FOLDER, dirname(STATE_FOLDER)]) lock.madeFolders.add(folder);
    await removeFolders(lock);
  }
}

/** An empty folder that stays does no harm, least of all to what the run says it did. */
async function removeFolders(lock: NodeLock): Promise<void> {
  for (const folder of [...lock.madeFolders].sort((a, b) => b.length - a.length)) {
    await removeIfEmpty(lock, folder).catch(() => {});
  }
}

async function lockNode({ root, disk }: NodeLock): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const folder = await placeOf(root, STATE_FOLDER);
      await disk.mkdir(dirname(dirname(folder)));
      await disk.mkdir(folder, 0o700);
      return await takeLock(folder, join(folder, LOCK_NAME), disk);
    } catch (error) {
      const problem = await problemOf(root, error);
      if (problem !== undefined || attempt === MOST_ATTEMPTS) throw problem ?? error;
    }
  }
}

/** Undefined when what was in the way is gone by now. */
async function problemOf(root: string, error: unknown): Promise<unknown> {
  if (systemCode(error) === 'ENOENT') return undefined;
  return error instanceof StoreLocked ? busyNode(root, error) : withPath(error);
}

/** Undefined when the lock was given back meanwhile. A lock file is as old as its taking. */
async function busyNode(
  root: string,
  cause: InstanceType<typeof StoreLocked>,
): Promise<Error | undefined> {
  const found = await lstatIfThere(cause.data.lockFile);
  if (found === undefined) return undefined;
  return new MirrorNodeBusy({ ...cause.data, root, since: found.mtime.toISOString() }, { cause });
}

function withPath(error: unknown): unknown {
  const reason = refusalReason(error);
  if (error instanceof MirrorPathUnusable) {
    const { places } = error.data;
    return new MirrorPathUnusable({ when: 'before writing', places }, { cause: error });
  }
  if (reason === undefined) return error;
  const places = [{ path: STATE_FOLDER, reason }];
  return new MirrorPathUnusable({ when: 'before writing', places }, { cause: error });
}

async function missingFolders(root: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = STATE_FOLDER; folder !== '/'; folder = dirname(folder)) {
    const place = await placeOf(root, folder).catch(() => undefined);
    if (place !== undefined && (await lstatIfThere(place)) === undefined) missing.push(folder);
  }
  return missing;
}
