/** What a plan does to single files: the one thing that is carried out, recorded and taken back. */

import { randomUUID } from 'node:crypto';
import { lchown, lstat, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder, writeFileAtomic } from '../../shared/atomic-file.ts';
import { systemCode } from '../../shared/errors.ts';
import { lstatIfThere } from '../../shared/lstat-if-there.ts';
import { placeInRoot } from '../directory-tree.ts';
import { MirrorPathUnusable } from '../errors.ts';

/** A file as it is or shall be. Without `mode` one that is there keeps its own. */
export type FileState =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly bytes: Uint8Array;
      readonly mode?: number;
      /** Whose it is; only root can give files away, so for others this changes nothing. */
      readonly owner?: { readonly uid: number; readonly gid: number };
    };

/** One path of the node and what it shall be. */
export interface FileChange {
  readonly path: string;
  readonly after: FileState;
}

/** What stands at a path of the node now. Rejects with MIRROR_PATH_UNUSABLE for a folder or a link. */
export async function stateOf(root: string, path: string): Promise<FileState> {
  const place = await placeOf(root, path);
  const found = await lstatIfThere(place);
  if (found === undefined) return { kind: 'absent' };
  if (!found.isFile()) throw unusable(path, 'is no plain file');
  const { mode, uid, gid } = found;
  return { kind: 'file', bytes: await readFile(place), mode: mode & 0o777, owner: { uid, gid } };
}

/** True when both have the same bytes, or are both absent. */
export function isSameContent(a: FileState, b: FileState): boolean {
  if (a.kind === 'absent' || b.kind === 'absent') return a.kind === b.kind;
  return Buffer.from(a.bytes).equals(b.bytes);
}

/**
 * Makes the file what it shall be. It appears whole or not at all, and so does a new folder with its
 * one file: an empty folder would switch the rules for "every other registry" off. A folder that a
 * removal empties is removed. Rejects with MIRROR_PATH_UNUSABLE; may be repeated at any time.
 */
export async function makeChange(root: string, { path, after }: FileChange): Promise<void> {
  try {
    const place = await placeOf(root, path);
    await (after.kind === 'absent' ? removeFile(place) : writeWhole(place, after));
  } catch (error) {
    const reason = systemCode(error);
    if (reason === undefined || error instanceof MirrorPathUnusable) throw error;
    throw unusable(path, reason, error);
  }
}

/** Where a path lies on this machine. Rejects with MIRROR_PATH_UNUSABLE when it cannot exist. */
export async function placeOf(root: string, path: string): Promise<string> {
  const place = await placeInRoot(root, path);
  if (place !== undefined) return place;
  throw unusable(path, 'a part of the path is no folder, or links form a circle');
}

function unusable(path: string, reason: string, cause?: unknown): Error {
  return new MirrorPathUnusable({ when: 'while writing', places: [{ path, reason }] }, { cause });
}

async function writeWhole(
  place: string,
  { bytes, mode, owner }: Extract<FileState, { kind: 'file' }>,
): Promise<void> {
  const folder = dirname(place);
  if ((await lstatIfThere(folder)) === undefined) return writeFolder(place, bytes, mode);
  await writeFileAtomic(place, bytes, mode);
  if (owner !== undefined) await giveTo(place, owner);
}

async function giveTo(place: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const now = await lstat(place);
  if (now.uid === uid && now.gid === gid) return;
  await lchown(place, uid, gid).catch(() => {});
}

async function writeFolder(place: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const folder = dirname(place);
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const temporary = join(parent, `.slipway-${randomUUID()}`);
  try {
    await writeFileAtomic(join(temporary, basename(place)), bytes, mode);
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(parent);
}

async function removeFile(place: string): Promise<void> {
  const folder = dirname(place);
  if ((await lstatIfThere(place)) === undefined) return;
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
