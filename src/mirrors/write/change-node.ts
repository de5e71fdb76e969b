/** Changes files of a node as one step that can be finished or taken back after a kill, and undone later. */

import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { lstatIfThere } from '../../shared/lstat-if-there.ts';
import { MirrorEditedSince, MirrorNothingToUndo } from '../errors.ts';
import { type FileChange, type FileState, makeChange, placeOf, stateOf } from './file-changes.ts';
import {
  forgetLastChange,
  type KnownState,
  keepBefore,
  knownState,
  type LastChange,
  readLastChange,
  removeCopiesBut,
  removeIfEmpty,
  STATE_FOLDER,
  stateBefore,
  writeLastChange,
} from './last-change.ts';
import { type NodeLock, whileLocked } from './node-lock.ts';

/** Called before each step; a test kills there. */
export type BeforeStep = () => Promise<void>;

const goOn: BeforeStep = () => Promise.resolve();

/** What else a change does. */
export interface ChangeOptions {
  readonly beforeStep?: BeforeStep;
  /** Folders of the node that go in the end if nothing is in them, from the bottom up. */
  readonly emptyFolders?: readonly string[];
}

/**
 * Makes the changes in order. What the files were is kept first, then named in a record, so that a kill
 * at any point leaves a state that `undoLastChange` and the next run know how to take back. Nothing
 * is recorded where nothing changes. Rejects with MIRROR_PATH_UNUSABLE.
 */
export async function changeNode(
  { root, madeFolders }: NodeLock,
  changes: readonly FileChange[],
  { beforeStep = goOn, emptyFolders = [] }: ChangeOptions = {},
): Promise<void> {
  if (changes.length === 0) return;
  const before: FileState[] = [];
  for (const { path } of changes) before.push(await stateOf(root, path));
  const folders = await foldersToMake(root, changes, madeFolders);
  const change: LastChange = {
    version: 1,
    state: 'changing',
    copies: `before-${randomUUID()}`,
    files: changes.map(({ path, after }, index) => ({
      path,
      before: knownState(before[index] ?? { kind: 'absent' }),
      after: knownState(after),
    })),
    folders: [...folders],
  };
  await beforeStep();
  await keepBefore(root, change.copies, before);
  await beforeStep();
  await writeLastChange(root, change);
  for (const one of changes) {
    await beforeStep();
    await makeChange(root, one);
  }
  for (const folder of emptyFolders) {
    await beforeStep();
    await removeIfEmpty(root, folder);
  }
  await beforeStep();
  await writeLastChange(root, { ...change, state: 'changed' });
  await beforeStep();
  await removeCopiesBut(root, change.copies);
}

/** Paths whose state an undo put back. */
export type Undone = ReadonlyArray<{ readonly path: string; readonly did: 'restored' | 'removed' }>;

/**
 * Puts every file back to what it was before the last change, whole or cut off by a kill: those that
 * were absent are removed, with the folders that were made for them. May be repeated after a kill.
 * Rejects with MIRROR_NOTHING_TO_UNDO, and before anything happens with MIRROR_EDITED_SINCE where
 * somebody changed one of the files meanwhile; MIRROR_RECORD_BROKEN, MIRROR_NODE_BUSY.
 */
export async function undoLastChange(root: string, beforeStep: BeforeStep = goOn): Promise<Undone> {
  return whileLocked(root, (lock) => takeBack(lock, beforeStep));
}

async function takeBack({ root, madeFolders }: NodeLock, beforeStep: BeforeStep): Promise<Undone> {
  const change = await readLastChange(root);
  if (change === undefined) throw new MirrorNothingToUndo({ root });
  const todo = await filesToRestore(root, change);
  await writeLastChange(root, { ...change, state: 'undoing' });
  for (const { path, index } of todo) {
    await beforeStep();
    await makeChange(root, { path, after: await stateBefore(root, change, index) });
  }
  await beforeStep();
  await removeLeftovers(root, change);
  await beforeStep();
  await forgetLastChange(root);
  for (const folder of change.folders.toReversed()) {
    // Those above the lock are not empty before it is given back.
    madeFolders.add(folder);
    await beforeStep();
    await removeIfEmpty(root, folder);
  }
  return todo.map(({ path, index }) => ({
    path,
    did: change.files[index]?.before.kind === 'absent' ? 'removed' : 'restored',
  }));
}

/** Takes back what a kill cut off; true if there was something. Rejects as `undoLastChange` does. */
export async function undoInterrupted(lock: NodeLock): Promise<boolean> {
  if (!(await isInterrupted(lock.root))) return false;
  await takeBack(lock, goOn);
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
}

/** Last changes first; those that are as before already are left out. */
async function filesToRestore(root: string, { files }: LastChange): Promise<readonly ToRestore[]> {
  const todo: ToRestore[] = [];
  const edited: string[] = [];
  for (const [index, { path, before, after }] of files.entries()) {
    const now = knownState(await stateOf(root, path));
    if (isSame(now, before)) continue;
    if (isSame(now, after)) todo.push({ path, index });
    else edited.push(path);
  }
  if (edited.length > 0) throw new MirrorEditedSince({ files: edited });
  return todo.reverse();
}

function isSame(now: KnownState, then: KnownState): boolean {
  if (now.kind === 'absent' || then.kind === 'absent') return now.kind === then.kind;
  return now.digest === then.digest;
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
    const isMissing = (await lstatIfThere(await placeOf(root, folder))) === undefined;
    if (isMissing || madeFolders.has(folder)) missing.push(folder);
  }
  return [...new Set(missing)].sort((a, b) => a.length - b.length);
}

/** What a kill left of a file that was being written: `.hosts.toml.UUID.tmp`, `.slipway-UUID`. */
async function removeLeftovers(root: string, { files }: LastChange): Promise<void> {
  for (const { path } of files) {
    const folder = dirname(await placeOf(root, path));
    const temporary = new RegExp(`^\\.${RegExp.escape(basename(path))}\\.[0-9a-f-]{36}\\.tmp$`);
    await removeMatching(folder, temporary);
    await removeMatching(dirname(folder), /^\.slipway-[0-9a-f-]{36}$/);
  }
}

async function removeMatching(folder: string, pattern: RegExp): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => pattern.test(one))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
