/** Changes files of a node as one step that can be finished or taken back after a kill, and undone later. */

import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describeError } from '../../shared/errors.ts';
import { MirrorPathUnusable } from '../errors.ts';
import { keepEdited } from './edited-since.ts';
import { MirrorChangeHalfDone, MirrorEditedSince, MirrorNothingToUndo } from './errors.ts';
import {
  type FileChange,
  type FileState,
  foundAt,
  makeChange,
  placeOf,
  stateOf,
} from './file-changes.ts';
import {
  beginChange,
  beginUndo,
  finishChange,
  forgetChange,
  forgetCopies,
  type KnownState,
  keepBefore,
  knownState,
  type LastChange,
  readLastChange,
  removeIfEmpty,
  STATE_FOLDER,
  stateBefore,
} from './last-change.ts';
import { type NodeDisk, systemDisk } from './node-disk.ts';
import { type NodeLock, whileLocked } from './node-lock.ts';

/** What else a change does. */
export interface ChangeOptions {
  /** Folders of the node that Slipway made: one that a removal empties goes too. */
  readonly ownFolders?: readonly string[];
  /** Those that go in the end if nothing is in them, from the bottom up. */
  readonly emptyFolders?: readonly string[];
}

/**
 * Makes the changes in order. What the files were is kept first, then named in a record, so that a kill
 * at any point leaves a state that `undoLastChange` and the next run know how to take back. Nothing
 * is recorded where nothing changes. What fails midway is taken back at once: MIRROR_PATH_UNUSABLE, or
 * MIRROR_CHANGE_HALF_DONE where that fails too.
 */
export async function changeNode(
  lock: NodeLock,
  changes: readonly FileChange[],
  options: ChangeOptions = {},
): Promise<void> {
  if (changes.length === 0) return;
  const { root, madeFolders } = lock;
  const before: FileState[] = [];
  for (const { path } of changes) before.push(await stateOf(root, path));
  const change: LastChange = {
    version: 1,
    state: 'changing',
    copies: `before-${randomUUID()}`,
    files: changes.map(({ path, after }, index) => ({
      path,
      before: knownState(before[index] ?? { kind: 'absent' }),
      after: knownState(after),
    })),
    folders: [...(await foldersToMake(root, changes, madeFolders))],
  };
  try {
    await keepBefore(lock, change.copies, before);
    await beginChange(lock, change);
    await makeAll(lock, changes, options);
    await finishChange(lock, change);
  } catch (error) {
    throw await afterFailure(lock, change, error);
  }
}

async function makeAll(
  lock: NodeLock,
  changes: readonly FileChange[],
  { ownFolders = [], emptyFolders = [] }: ChangeOptions,
): Promise<void> {
  const { root, disk } = lock;
  const own = new Set(ownFolders);
  const means = { disk, isOwnFolder: (folder: string) => own.has(folder) };
  for (const one of changes) await makeChange(root, one, means);
  for (const folder of emptyFolders) await removeIfEmpty(lock, folder);
}

/** Takes back what a failed change did so far; gives the error that says how the node is now. */
async function afterFailure(
  lock: NodeLock,
  { copies }: LastChange,
  cause: unknown,
): Promise<unknown> {
  const { root } = lock;
  try {
    const isBegun = (await readLastChange(root))?.copies === copies;
    await (isBegun ? takeBack(lock) : forgetCopies(lock));
  } catch (error) {
    const [failed, then] = [describeError(cause), describeError(error)];
    return new MirrorChangeHalfDone({ root, failed, then }, { cause });
  }
  if (!(cause instanceof MirrorPathUnusable)) return cause;
  const { places } = cause.data;
  return new MirrorPathUnusable({ when: 'taken back', places }, { cause });
}

/** Paths whose state an undo put back. */
export type Undone = ReadonlyArray<{
  readonly path: string;
  readonly did: 'restored' | 'removed';
  /** Where on the node lies what somebody had made of it since. */
  readonly copy?: string;
}>;

/** What an undo does about files that somebody changed since; a replaced one is kept as a copy. */
export type EditedFiles = 'refuse edited' | 'replace edited';

/**
 * Puts every file back to what it was before the last change, whole or cut off by a kill: those that
 * were absent are removed, with the folders that were made for them. May be repeated after a kill.
 * Rejects with MIRROR_NOTHING_TO_UNDO, and before anything happens with MIRROR_EDITED_SINCE where
 * somebody changed one of the files meanwhile, unless these may be replaced; MIRROR_RECORD_BROKEN,
 * MIRROR_NODE_BUSY.
 */
export async function undoLastChange(
  root: string,
  disk: NodeDisk = systemDisk,
  edited: EditedFiles = 'refuse edited',
): Promise<Undone> {
  return whileLocked(root, (lock) => takeBack(lock, edited), disk);
}

async function takeBack(lock: NodeLock, edited: EditedFiles = 'refuse edited'): Promise<Undone> {
  const { root, disk, madeFolders } = lock;
  const change = await readLastChange(root);
  if (change === undefined) {
    await forgetCopies(lock);
    throw new MirrorNothingToUndo({ root });
  }
  const todo = await filesToRestore(root, change, edited);
  const copies = await keepAllEdited(lock, todo);
  const own = new Set(change.folders);
  const means = { disk, isOwnFolder: (folder: string) => own.has(folder) };
  await beginUndo(lock, change);
  for (const { path, index } of todo) {
    await makeChange(root, { path, after: await stateBefore(root, change, index) }, means);
  }
  await removeLeftovers(lock, change);
  // While the change is not forgotten, so that those that a kill left go in the next run.
  for (const folder of change.folders.toReversed()) await removeIfEmpty(lock, folder);
  await forgetChange(lock, change);
  // Those above the lock are not empty before it is given back.
  for (const folder of change.folders) madeFolders.add(folder);
  return todo.map(({ path, index }) => {
    const copy = copies.get(path);
    const did = change.files[index]?.before.kind === 'absent' ? 'removed' : 'restored';
    return { path, did, ...(copy !== undefined && { copy }) };
  });
}

/** Before the first of them is touched; gives where each copy lies. */
async function keepAllEdited(
  lock: NodeLock,
  todo: readonly ToRestore[],
): Promise<ReadonlyMap<string, string>> {
  const copies = new Map<string, string>();
  for (const { path } of todo.filter(({ isEdited }) => isEdited)) {
    const copy = await keepEdited(lock, path);
    if (copy !== undefined) copies.set(path, copy);
  }
  return copies;
}

/** Takes back what a kill cut off; true if there was something. Rejects as `undoLastChange` does. */
export async function undoInterrupted(lock: NodeLock): Promise<boolean> {
  if (!(await isInterrupted(lock.root))) return false;
  await takeBack(lock);
  return true;
}

/** True when a kill cut a change off, so that the node is between two states. */
export async function isInterrupted(root: string): Promise<boolean> {
  const change = await readLastChange(root);
  return change !== undefined && change.state !== 'changed';
}

interface ToRestore {
  readonly path: string;
  readonly index: number;
  readonly isEdited: boolean;
}

/**
 * Those that are as before already are left out. New files go first, so that on a full disk there is room
 * for the old ones; but what is a copy of an old one goes last.
 */
async function filesToRestore(
  root: string,
  { files }: LastChange,
  whenEdited: EditedFiles,
): Promise<readonly ToRestore[]> {
  const todo: ToRestore[] = [];
  for (const [index, { path, before, after }] of files.entries()) {
    const now = knownState(await stateOf(root, path));
    if (isRestored(now, before)) continue;
    todo.push({ path, index, isEdited: !isSame(now, after) && !isSame(now, before) });
  }
  const edited = todo.filter(({ isEdited }) => isEdited).map(({ path }) => path);
  if (edited.length > 0 && whenEdited === 'refuse edited')
    throw new MirrorEditedSince({ root, files: edited });
  const isNew = ({ index }: ToRestore) => {
    const { before, after } = files[index] ?? {};
    return before?.kind === 'absent' && !files.some((old) => isCopyOf(after, old.before));
  };
  const reversed = todo.toReversed();
  return [...reversed.filter(isNew), ...reversed.filter((one) => !isNew(one))];
}

function isCopyOf(file: KnownState | undefined, old: KnownState): boolean {
  return file?.kind === 'file' && old.kind === 'file' && file.digest === old.digest;
}

function isSame(now: KnownState, then: KnownState): boolean {
  if (now.kind === 'absent' || then.kind === 'absent') return now.kind === then.kind;
  return now.digest === then.digest;
}

function isRestored(now: KnownState, before: KnownState): boolean {
  return isSame(now, before) && isDeepStrictEqual(now, { ...now, ...before });
}

/** The folders above the files (and above our own) that were not there before, from the top down. */
export async function foldersToMake(
  root: string,
  changes: readonly FileChange[],
  madeFolders: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const { path, after } of changes) {
    if (after.kind === 'absent') continue;
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.add(folder);
  }
  const missing: string[] = [];
  for (const folder of [...folders, dirname(dirname(STATE_FOLDER))]) {
    const isMissing = (await foundAt(await placeOf(root, folder))) === undefined;
    if (isMissing || madeFolders.has(folder)) missing.push(folder);
  }
  return [...new Set(missing)].sort((a, b) => a.length - b.length);
}

/** What a kill left of a file that was being written: `.hosts.toml.UUID.tmp`, `.slipway-UUID`. */
async function removeLeftovers({ root, disk }: NodeLock, { files }: LastChange): Promise<void> {
  for (const { path } of files) {
    const folder = dirname(await placeOf(root, path));
    const temporary = new RegExp(`^\\.${RegExp.escape(basename(path))}\\.[0-9a-f-]{36}\\.tmp$`);
    await removeMatching(folder, temporary, disk);
    await removeMatching(dirname(folder), /^\.slipway-[0-9a-f-]{36}$/, disk);
  }
}

async function removeMatching(folder: string, pattern: RegExp, disk: NodeDisk): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => pattern.test(one)))
    await disk.remove(join(folder, name));
}
