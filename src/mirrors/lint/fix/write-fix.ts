/** Carries out a fix: every file whole, with a copy of the old one beside it. */

import { lstat, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../../shared/atomic-file.ts';
import { SlipwayError, systemCode } from '../../../shared/errors.ts';
import { directoryTree, placeInRoot } from '../../directory-tree.ts';
import { MirrorFileChanged, MirrorPathUnusable } from '../../errors.ts';
import { undoInterrupted } from '../../write/change-node.ts';
import { isSameContent, makeChange, stateOf } from '../../write/file-changes.ts';
import { findFiles } from '../../write/found-files.ts';
import { whileLocked } from '../../write/node-lock.ts';
import { planWrite, type WriteAction } from '../../write/plan-write.ts';
import type { FileNames } from '../units/lint-unit.ts';
import type { FileEdit, Rename } from './mend-files.ts';
import type { FixPlan } from './plan-fix.ts';

/** What was done, by the user's names. */
export type FixedFile =
  | { readonly do: 'change'; readonly file: string; readonly backup?: string }
  | { readonly do: 'rename'; readonly file: string; readonly to: string };

/**
 * Writes the edits and then renames. All files are looked at before the first is written, and each again
 * before its own turn. Rejects with MIRROR_FILE_CHANGED, MIRROR_PATH_UNUSABLE (a link in place of a file,
 * a read-only or full disk); what was done before is whole then, and a second run goes on.
 */
export async function writeFix(names: FileNames, plan: FixPlan): Promise<readonly FixedFile[]> {
  if (names.lockRoot === undefined || plan.edits.length + plan.renames.length === 0) {
    return writeAll(names, plan);
  }
  return whileLocked(names.lockRoot, async (lock) => {
    // A mended file would no longer be one that the cut off change can be taken back from.
    await undoInterrupted(lock);
    return writeAll(names, plan);
  });
}

async function writeAll(names: FileNames, plan: FixPlan): Promise<readonly FixedFile[]> {
  const edits = plan.edits.map((edit) => ({ ...edit, target: pathOf(names, edit.path) }));
  const actions = await planActions(names, edits);
  for (const edit of edits) await refuseChanged(names, edit);
  const done: FixedFile[] = [];
  for (const [index, action] of actions.entries()) {
    const edit = edits[index];
    if (edit === undefined || action.do === 'keep') continue;
    await refuseChanged(names, edit);
    await writeOne(names.writeRoot, action, edit);
    done.push({ do: 'change', file: shown(names, edit.path), ...backupOf(action, names, edit) });
  }
  for (const one of plan.renames) done.push(await renameOne(names, one));
  return done;
}

interface Targeted extends FileEdit {
  /** Below the unit's root for writing. */
  readonly target: string;
}

/** As "mirrors write" plans a change of somebody else's file: where the copy goes, and what is in the way. */
async function planActions(names: FileNames, edits: readonly Targeted[]) {
  const wanted = edits.map(({ target, after }) => {
    return { path: target, content: after, because: 'mended', isChange: true } as const;
  });
  const tree = directoryTree(names.writeRoot);
  const found = await findFiles(
    names.writeRoot,
    tree,
    { wanted, settled: [], existing: [] },
    undefined,
  );
  const { actions, blocked } = planWrite(wanted, found, { replaceForeign: true });
  if (blocked.length === 0) return actions;
  const places = blocked.map(({ path, reason }) => {
    const edit = edits.find(({ target }) => target === path);
    return { path: edit === undefined ? path : shown(names, edit.path), reason };
  });
  throw new MirrorPathUnusable({ when: 'before writing', places });
}

async function refuseChanged(names: FileNames, { path, target, before }: Targeted): Promise<void> {
  const now = await directoryTree(names.writeRoot).read(target);
  if (now.kind === 'file' && Buffer.from(before).equals(now.bytes)) return;
  throw new MirrorFileChanged({ file: shown(names, path) });
}

/** Not with the record of "mirrors write": what a person asked to mend in their own file is not ours to undo. */
async function writeOne(root: string, action: WriteAction, { target, after }: Targeted) {
  if ('backup' in action && action.backup !== undefined) {
    const [old, copy] = [await stateOf(root, target), await stateOf(root, action.backup)];
    if (copy.kind === 'file' && !isSameContent(old, copy)) {
      throw new MirrorFileChanged({ file: action.backup });
    }
    await makeChange(root, { path: action.backup, after: old });
  }
  await makeChange(root, { path: target, after: { kind: 'file', bytes: Buffer.from(after) } });
}

function backupOf(action: WriteAction, names: FileNames, { path, target }: Targeted) {
  if (!('backup' in action) || action.backup === undefined) return {};
  return { backup: shown(names, path) + action.backup.slice(target.length) };
}

async function renameOne(names: FileNames, { from, to }: Rename): Promise<FixedFile> {
  const [old, next] = [await placeOf(names, from), await placeOf(names, to)];
  const file = shown(names, from);
  if (await isThere(next)) throw new MirrorFileChanged({ file: shown(names, to) });
  try {
    await rename(old, next);
    await syncFolder(dirname(next));
  } catch (error) {
    const reason = error instanceof SlipwayError ? undefined : systemCode(error);
    if (reason === undefined) throw error;
    const places = [{ path: file, reason }];
    throw new MirrorPathUnusable({ when: 'while writing', places }, { cause: error });
  }
  return { do: 'rename', file, to: shown(names, to) };
}

async function placeOf(names: FileNames, path: string): Promise<string> {
  const place = await placeInRoot(names.writeRoot, dirname(pathOf(names, path)));
  if (place !== undefined) return `${place}/${path.slice(path.lastIndexOf('/') + 1)}`;
  const reason = 'a part of the path is no folder, or links form a circle';
  throw new MirrorPathUnusable({ when: 'while writing', places: [{ path, reason }] });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function pathOf(names: FileNames, path: string): string {
  const target = names.writePath(path);
  if (target === undefined) throw new TypeError(`${path} is none of the files that were read`);
  return target;
}

function shown(names: FileNames, path: string): string {
  return names.shownAs(path) ?? path;
}
