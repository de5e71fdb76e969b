/** What the last run changed on a node, kept there so that it can be taken back: `/var/lib/slipway/mirrors`. */

import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { digestOf } from '../../oci/digest.ts';
import { syncFolder, writeFileAtomic } from '../../shared/atomic-file.ts';
import { systemCode } from '../../shared/errors.ts';
import { MirrorRecordBroken } from '../errors.ts';
import { type FileState, placeOf } from './file-changes.ts';

/** The folder of the node in which Slipway remembers what it did. */
export const STATE_FOLDER = '/var/lib/slipway/mirrors';
/** The file in it that says which run changes the node just now. */
export const LOCK_NAME = 'lock';
const FILE = `${STATE_FOLDER}/last-change.json`;
/** Copies, files that were half written, and what a kill left of a lock that was being taken over. */
const PASSING = new RegExp(`^before-|\\.tmp$|^${LOCK_NAME}\\.`);

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

/** Undefined when nothing can be taken back. Rejects with MIRROR_RECORD_BROKEN. */
export async function readLastChange(root: string): Promise<LastChange | undefined> {
  const text = await readIfThere(await placeOf(root, FILE)).catch((cause: unknown) => {
    throw new MirrorRecordBroken({ file: FILE, fault: 'cannot be read' }, { cause });
  });
  if (text === undefined) return undefined;
  try {
    return LastChange.parse(JSON.parse(text.toString('utf8')));
  } catch (cause) {
    throw new MirrorRecordBroken({ file: FILE, fault: 'is damaged' }, { cause });
  }
}

/** Replaces the record at once: before the first step, after the last one, and when an undo begins. */
export async function writeLastChange(root: string, change: LastChange): Promise<void> {
  const text = `${JSON.stringify(change, undefined, 2)}\n`;
  await writeFileAtomic(await placeOf(root, FILE), text, 0o600);
}

/** Keeps the bytes of files as they are, before the record names them. */
export async function keepBefore(
  root: string,
  copies: string,
  states: readonly FileState[],
): Promise<void> {
  const folder = await placeOf(root, `${STATE_FOLDER}/${copies}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [index, state] of states.entries()) {
    if (state.kind === 'file')
      await writeFileAtomic(join(folder, String(index)), state.bytes, 0o600);
  }
  await syncFolder(folder);
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

/** Forgets what was changed, and the copies of it; the folder goes with its last file. */
export async function forgetLastChange(root: string): Promise<void> {
  await rm(await placeOf(root, FILE), { force: true });
  await removeCopiesBut(root, undefined);
}

/** Removes the copies of earlier changes, also of those that a kill cut off before their record. */
export async function removeCopiesBut(root: string, kept: string | undefined): Promise<void> {
  const folder = await placeOf(root, STATE_FOLDER);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => PASSING.test(one) && one !== kept)) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Removes a folder of the node if nothing is in it. */
export async function removeIfEmpty(root: string, folder: string): Promise<void> {
  try {
    await rmdir(await placeOf(root, folder));
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error;
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
