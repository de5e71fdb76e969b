/** What a plan does to single files: the one thing that is carried out, recorded and taken back. */

import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Owner, renameWhole, syncFolder } from '../../shared/atomic-file.ts';
import { systemCode } from '../../shared/errors.ts';
import { lstatIfThere } from '../../shared/lstat-if-there.ts';
import { directoryTree, placeInRoot } from '../directory-tree.ts';
import { MirrorPathUnusable } from '../errors.ts';
import { PERMISSION_DENIED } from '../permission-denied.ts';
import { type NodeDisk, systemDisk } from './node-disk.ts';
import { refusalReason } from './refusal-reason.ts';

/** A file as it is or shall be. Without `mode` one that is there keeps its own. */
export type FileState =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly bytes: Uint8Array;
      readonly mode?: number;
      /** Whose it is; only root can give files away, so for others this changes nothing. */
      readonly owner?: Readonly<Owner>;
    };

/** One path of the node and what it shall be. */
export interface FileChange {
  readonly path: string;
  readonly after: FileState;
}

/** What stands at a path of the node now. Rejects with MIRROR_PATH_UNUSABLE for a folder or a link. */
export async function stateOf(root: string, path: string): Promise<FileState> {
  const place = await placeOf(root, path);
  const found = await foundAt(place);
  if (found === undefined) return { kind: 'absent' };
  if (!found.isFile()) throw unusable(path, 'is no plain file');
  const { mode, uid, gid } = found;
  return { kind: 'file', bytes: await readFile(place), mode: mode & 0o7777, owner: { uid, gid } };
}

/** What bears the name; nothing does where the file system cannot have such a name. */
export async function foundAt(place: string): Promise<Stats | undefined> {
  try {
    return await lstatIfThere(place);
  } catch (error) {
    if (systemCode(error) === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

/** True when both have the same bytes, or are both absent. */
export function isSameContent(a: FileState, b: FileState): boolean {
  if (a.kind === 'absent' || b.kind === 'absent') return a.kind === b.kind;
  return Buffer.from(a.bytes).equals(b.bytes);
}

/** How {@link makeChange} does it. */
export interface ChangeMeans {
  readonly disk?: NodeDisk;
  /** True for a folder of the node that goes when a removal empties it; without it, each one stays. */
  readonly isOwnFolder?: (folder: string) => boolean;
}

/**
 * Makes the file what it shall be. It appears whole or not at all, with mode and owner, and so does a new
 * folder with its one file: an empty folder would switch the rules for "every other registry" off. A
 * folder of ours that a removal empties is removed. Rejects with MIRROR_PATH_UNUSABLE; may be repeated.
 */
export async function makeChange(
  root: string,
  { path, after }: FileChange,
  { disk = systemDisk, isOwnFolder = () => false }: ChangeMeans = {},
): Promise<void> {
  try {
    const place = await placeOf(root, path);
    if (after.kind === 'file') await writeWhole(place, after, disk);
    else await removeFile(place, isOwnFolder(dirname(path)), disk);
  } catch (error) {
    const reason = refusalReason(error);
    if (reason === undefined || error instanceof MirrorPathUnusable) throw error;
    throw unusable(path, reason, error);
  }
}

/** Where a path lies on this machine. Rejects with MIRROR_PATH_UNUSABLE when it cannot exist. */
export async function placeOf(root: string, path: string): Promise<string> {
  const place = await placeInRoot(root, path);
  if (place !== undefined) return place;
  const entry = await directoryTree(root).read(path);
  const isDenied = entry.kind === 'unreadable' && entry.reason === PERMISSION_DENIED;
  const reason = 'a part of the path is no folder, or links form a circle';
  throw unusable(path, isDenied ? entry.reason : reason);
}

function unusable(path: string, reason: string, cause?: unknown): Error {
  return new MirrorPathUnusable({ when: 'while writing', places: [{ path, reason }] }, { cause });
}

type WholeFile = Extract<FileState, { kind: 'file' }>;

async function writeWhole(place: string, file: WholeFile, disk: NodeDisk): Promise<void> {
  const folder = dirname(place);
  const found = await lstatIfThere(place);
  const mode = file.mode ?? (found === undefined ? 0o644 : found.mode & 0o7777);
  const whole = { content: file.bytes, mode, owner: file.owner ?? found };
  if ((await lstatIfThere(folder)) === undefined) return writeFolder(place, whole, disk);
  await renameWhole({ ...whole, path: place, temporaryFolder: folder }, disk);
  await syncFolder(folder, disk);
}

async function writeFolder(
  place: string,
  whole: Omit<Parameters<typeof renameWhole>[0], 'path' | 'temporaryFolder'>,
  disk: NodeDisk,
): Promise<void> {
  const folder = dirname(place);
  const parent = dirname(folder);
  await disk.mkdir(parent);
  const temporaryFolder = join(parent, `.slipway-${randomUUID()}`);
  try {
    await disk.mkdir(temporaryFolder);
    const path = join(temporaryFolder, basename(place));
    await renameWhole({ ...whole, path, temporaryFolder }, disk);
    await syncFolder(temporaryFolder, disk);
    await disk.rename(temporaryFolder, folder);
  } catch (error) {
    await disk.remove(temporaryFolder);
    throw error;
  }
  await syncFolder(parent, disk);
}

async function removeFile(place: string, folderGoes: boolean, disk: NodeDisk): Promise<void> {
  const folder = dirname(place);
  if ((await lstatIfThere(place)) === undefined) return;
  const others = (await readdir(folder)).filter((name) => name !== basename(place));
  if (others.length > 0 || !folderGoes) {
    await disk.remove(place);
    return syncFolder(folder, disk);
  }
  // The folder leaves its name first, so that it is never there without its file.
  const temporary = join(dirname(folder), `.slipway-${randomUUID()}`);
  await disk.rename(folder, temporary);
  await disk.remove(temporary);
  return syncFolder(dirname(folder), disk);
}
