/** Carries out a plan below the root of a node, one whole file at a time. */

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder, writeFileAtomic } from '../../shared/atomic-file.ts';
import { SlipwayError, systemCode } from '../../shared/errors.ts';
import { placeInRoot } from '../directory-tree.ts';
import { MirrorPathUnusable } from '../errors.ts';
import type { WriteAction } from './plan-write.ts';
import type { WantedFile } from './wanted-file.ts';

/**
 * Does every action in order. Each file appears whole or not at all, and so does a new folder with
 * its one file: an empty folder would switch the rules for "every other registry" off. Folders that
 * a removal empties are removed. Rejects with MIRROR_PATH_UNUSABLE; may be repeated at any time.
 */
export async function applyActions(root: string, actions: readonly WriteAction[]): Promise<void> {
  for (const action of actions) {
    if (action.do === 'keep') continue;
    try {
      await applyOne(root, action);
    } catch (error) {
      const reason = error instanceof SlipwayError ? undefined : systemCode(error);
      if (reason === undefined) throw error;
      throw unusable(action.path, reason, error);
    }
  }
}

async function applyOne(root: string, action: Exclude<WriteAction, { do: 'keep' }>): Promise<void> {
  const place = await placeOf(root, action.path);
  if (action.do === 'remove') return removeFile(place);
  if (action.do !== 'write') await keepCopy(root, place, action.backup);
  return writeWhole(place, action);
}

async function placeOf(root: string, path: string): Promise<string> {
  const place = await placeInRoot(root, path);
  if (place !== undefined) return place;
  throw unusable(path, 'a part of the path is no folder, or links form a circle');
}

function unusable(path: string, reason: string, cause?: unknown): Error {
  return new MirrorPathUnusable({ when: 'while writing', places: [{ path, reason }] }, { cause });
}

/** A copy that is there already has the same bytes, or it came since the plan and stays. */
async function keepCopy(root: string, place: string, backup: string): Promise<void> {
  const copy = await placeOf(root, backup);
  const old = await readFile(place);
  if (await exists(copy)) {
    if (old.equals(await readFile(copy))) return;
    throw unusable(backup, 'somebody changed it or the file beside it meanwhile');
  }
  // A copy, not a rename: the runtime must find the old file until the new one is there.
  await writeFileAtomic(copy, old, (await stat(place)).mode & 0o777);
}

async function writeWhole(
  place: string,
  { content, isPrivate }: Pick<WantedFile, 'content' | 'isPrivate'>,
): Promise<void> {
  const folder = dirname(place);
  const mode = isPrivate === true ? 0o600 : undefined;
  if (await exists(folder)) return writeFileAtomic(place, content, mode);
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const temporary = join(parent, `.slipway-${randomUUID()}`);
  try {
    await writeFileAtomic(join(temporary, basename(place)), content, mode);
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(parent);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function removeFile(place: string): Promise<void> {
  const folder = dirname(place);
  const others = (await readdir(folder)).filter((name) => name !== basename(place));
  if (others.length > 0) {
    await rm(place, { force: true });
    return syncFolder(folder);
  }
  // The folder leaves its name first, so that it is never there without its file.
  const temporary = join(dirname(folder), `.slipway-${randomUUID()}`);
  await rename(folder, temporary);
  await rm(join(temporary, basename(place)), { force: true });
  await rmdir(temporary);
  return syncFolder(dirname(folder));
}
