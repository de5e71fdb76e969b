/** What the last run changed on a node, kept there so that it can be taken back: `/var/lib/slipway/mirrors`. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { digestOf } from '../../oci/digest.ts';
import { systemCode } from '../../shared/errors.ts';
import { MirrorRecordBroken } from './errors.ts';
import { type FileState, makeChange, placeOf } from './file-changes.ts';
import type { NodeDisk } from './node-disk.ts';

/** The folder of the node in which Slipway remembers what it did. */
export const STATE_FOLDER = '/var/lib/slipway/mirrors';
/** The file in it that says which run changes the node just now. */
export const LOCK_NAME = 'lock';
/** The last change that was made as a whole. */
const LAST = `${STATE_FOLDER}/last-change.json`;
/** The change that is being made: what is found here was cut off, and the one before it can still be undone. */
const BEGUN = `${STATE_FOLDER}/begun-change.json`;
/** Copies, files that were half written, and what a kill left of a lock that was being taken over. */
const PASSING = new RegExp(`^before-|\\.tmp$|^\\.slipway-|^${LOCK_NAME}\\.`);

/** Where a record is kept, and on what. */
export interface RecordPlace {
  readonly root: string;
  readonly disk: NodeDisk;
}

/** A file as it was: its bytes lie beside the record, or their digest says whether it is still so. */
const KnownState = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('absent') }),
  z.strictObject({
    kind: z.literal('file'),
    digest: z.string(),
    mode: z.int().optional(),
    owner: z.strictObject({ uid: z.int(), gid: z.int() }).optional(),
  }),
]);
export type KnownState = z.infer<typeof KnownState>;

const LastChange = z.strictObject({
  version: z.literal(1),
  /** `changing` and `undoing` are read after a kill only. */
  state: z.enum(['changing', 'changed', 'undoing']),
  /** The folder beside it with the bytes of files as they were, by their number. */
  copies: z.string().regex(/^before-[0-9a-f-]+$/),
  files: z.array(z.strictObject({ path: z.string(), before: KnownState, after: KnownState })),
  /** Folders that the change made, from the top down. */
  folders: z.array(z.string()),
});

/** One run's change of a node, as its record has it. */
export type LastChange = z.infer<typeof LastChange>;

/**
 * The change that an undo takes back: one that was cut off, else the last one; undefined when there is
 * none. Rejects with MIRROR_RECORD_BROKEN.
 */
export async function readLastChange(root: string): Promise<LastChange | undefined> {
  const begun = await readChange(root, BEGUN);
  const last = await readChange(root, LAST);
  // The last change has not yet been cleared from where it began.
  return begun === undefined || begun.copies === last?.copies ? last : begun;
}

async function readChange(root: string, file: string): Promise<LastChange | undefined> {
  const text = await readIfThere(await placeOf(root, file)).catch((cause: unknown) => {
    throw new MirrorRecordBroken({ file, fault: 'cannot be read' }, { cause });
  });
  if (text === undefined) return undefined;
  try {
    return LastChange.parse(JSON.parse(text.toString('utf8')));
  } catch (cause) {
    throw new MirrorRecordBroken({ file, fault: 'is damaged' }, { cause });
  }
}

/** Names a change before its first step. */
export function beginChange(place: RecordPlace, change: LastChange): Promise<void> {
  return writeRecord(place, BEGUN, change);
}

/** Makes it the one that an undo takes back, at once, and forgets the one before it. */
export async function finishChange(place: RecordPlace, change: LastChange): Promise<void> {
  await writeRecord(place, LAST, { ...change, state: 'changed' });
  // It is done; what cannot be tidied now is known as old by the next run.
  await removeRecord(place, BEGUN).catch(() => {});
  await removeCopiesBut(place, change.copies).catch(() => {});
}

/** Says that a whole change is being taken back; of one that was cut off that is known. */
export async function beginUndo(place: RecordPlace, change: LastChange): Promise<void> {
  if (change.state === 'changed') await writeRecord(place, LAST, { ...change, state: 'undoing' });
}

/** Forgets what was changed, and the copies of it; the folder goes with its last file. */
export async function forgetChange(place: RecordPlace, { copies }: LastChange): Promise<void> {
  const last = await readChange(place.root, LAST);
  const isLast = last?.copies === copies;
  await removeRecord(place, BEGUN);
  if (isLast) await removeRecord(place, LAST);
  await removeCopiesBut(place, isLast ? undefined : last?.copies);
}

function writeRecord({ root, disk }: RecordPlace, path: string, change: LastChange): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(change, undefined, 2)}\n`);
  return makeChange(root, { path, after: { kind: 'file', bytes, mode: 0o600 } }, { disk });
}

function removeRecord({ root, disk }: RecordPlace, path: string): Promise<void> {
  return makeChange(root, { path, after: { kind: 'absent' } }, { disk });
}

/** Keeps the bytes of files as they are, before the record names them. */
export async function keepBefore(
  { root, disk }: RecordPlace,
  copies: string,
  states: readonly FileState[],
): Promise<void> {
  for (const [index, state] of states.entries()) {
    if (state.kind !== 'file') continue;
    const path = `${STATE_FOLDER}/${copies}/${index}`;
    const after = { kind: 'file', bytes: state.bytes, mode: 0o600 } as const;
    await makeChange(root, { path, after }, { disk });
  }
}

/** The file number `index` as it was before. Rejects with MIRROR_RECORD_BROKEN. */
export async function stateBefore(
  root: string,
  { copies, files }: LastChange,
  index: number,
): Promise<FileState> {
  const before = files[index]?.before ?? { kind: 'absent' };
  if (before.kind === 'absent') return before;
  const file = `${STATE_FOLDER}/${copies}/${index}`;
  const bytes = await readIfThere(await placeOf(root, file));
  if (bytes === undefined || digestOf(bytes) !== before.digest)
    throw new MirrorRecordBroken({ file, fault: 'is damaged' });
  const { mode, owner } = before;
  return { kind: 'file', bytes, ...(mode !== undefined && { mode }), ...(owner && { owner }) };
}

/** Removes the copies of earlier changes, also of those that a kill cut off before their record. */
async function removeCopiesBut(
  { root, disk }: RecordPlace,
  kept: string | undefined,
): Promise<void> {
  const folder = await placeOf(root, STATE_FOLDER);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => PASSING.test(one) && one !== kept)) {
    await disk.remove(join(folder, name));
  }
}

/** Removes what a change left that ended before it was named. */
export async function forgetCopies(place: RecordPlace): Promise<void> {
  await removeCopiesBut(place, (await readChange(place.root, LAST))?.copies);
}

/** Something is in it, it is gone or never could be, or something else has its name by now: nothing to do. */
const STAYS = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'ENAMETOOLONG']);

/** Removes a folder of the node if nothing is in it. */
export async function removeIfEmpty({ root, disk }: RecordPlace, folder: string): Promise<void> {
  try {
    await disk.rmdir(await placeOf(root, folder));
  } catch (error) {
    if (!STAYS.has(systemCode(error) ?? '')) throw error;
  }
}

/** `{ kind: 'file', bytes }` → the same with a digest for the bytes. */
export function knownState(state: FileState): KnownState {
  if (state.kind === 'absent') return state;
  const { bytes, mode, owner } = state;
  return {
    kind: 'file',
    digest: digestOf(bytes),
    ...(mode !== undefined && { mode }),
    ...(owner && { owner }),
  };
}

async function readIfThere(place: string): Promise<Buffer | undefined> {
  try {
    return await readFile(place);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
