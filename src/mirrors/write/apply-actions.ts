/** Carries out a plan below the root of a node, as one change that can be taken back. */

import { MirrorPathUnusable } from '../errors.ts';
import { type ChangeOptions, changeNode } from './change-node.ts';
import { type FileChange, type FileState, isSameContent, stateOf } from './file-changes.ts';
import type { NodeLock } from './node-lock.ts';
import type { WriteAction } from './plan-write.ts';

/** What else happens in the same change. */
export interface ChangeMore extends ChangeOptions {
  /** What the node shall remember of it. */
  readonly record?: readonly FileChange[];
}

/**
 * Does every action in order, and `more` after them. Each file appears whole or not at all; a copy of
 * what is replaced is there before. Rejects with MIRROR_PATH_UNUSABLE; may be repeated at any time.
 */
export async function applyActions(
  lock: NodeLock,
  actions: readonly WriteAction[],
  more: ChangeMore = {},
): Promise<void> {
  const changes: FileChange[] = [];
  for (const action of actions) changes.push(...(await changesFor(lock.root, action)));
  await changeNode(lock, [...changes, ...(more.record ?? [])], more);
}

async function changesFor(root: string, action: WriteAction): Promise<readonly FileChange[]> {
  if (action.do === 'keep') return [];
  if (action.do === 'remove') {
    const { path, backup } = action;
    const copy = backup === undefined ? [] : await copyOf(root, { path, backup });
    return [...copy, { path, after: { kind: 'absent' } }];
  }
  if (action.do === 'restore') return restored(root, action);
  const bytes = Buffer.from(action.content);
  const mode = action.isPrivate === true ? { mode: 0o600 } : {};
  const written: FileChange = { path: action.path, after: { kind: 'file', bytes, ...mode } };
  return action.do === 'write' ? [written] : [...(await copyOf(root, action)), written];
}

/** With the mode and owner that the copy kept. */
async function restored(
  root: string,
  { path, bytes, copy }: Extract<WriteAction, { do: 'restore' }>,
): Promise<readonly FileChange[]> {
  const old = await stateOf(root, copy);
  const after: FileState = old.kind === 'file' ? { ...old, bytes } : { kind: 'file', bytes };
  return [
    { path, after },
    { path: copy, after: { kind: 'absent' } },
  ];
}

/** A copy that is there already has the same bytes, or it came since the plan and stays. */
async function copyOf(
  root: string,
  { path, backup }: { readonly path: string; readonly backup: string },
): Promise<readonly FileChange[]> {
  const old = await stateOf(root, path);
  const copy = await stateOf(root, backup);
  if (isSameContent(old, copy)) return [];
  if (copy.kind === 'absent') return [{ path: backup, after: old }];
  const reason = 'somebody changed it or the file beside it meanwhile';
  const places = [{ path: backup, reason }];
  throw new MirrorPathUnusable({ when: 'while writing', places });
}
