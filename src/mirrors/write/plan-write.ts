/** Decides what to do with a node's files, from what they shall be and what they are; does no I/O. */

import { digestOf } from '../../oci/digest.ts';
import { compareText } from '../../shared/json.ts';
import { type Author, authorOf } from '../own-text.ts';
import type { WantedFile } from '../runtime-rules.ts';
import type { FoundFile, FoundFiles, Standing } from './found-files.ts';
import type { WrittenFile } from './node-record.ts';
import { obstaclesIn, PathsByPlace } from './obstacles.ts';

/** One step, with its reason. */
export type WriteAction =
  | {
      readonly do: 'write';
      readonly path: string;
      readonly content: string;
      readonly because: string;
      readonly isPrivate?: true;
    }
  /** Somebody else's file, copied to `backup` first; `change` keeps all but the lines that are ours. */
  | {
      readonly do: 'replace' | 'change';
      readonly path: string;
      readonly content: string;
      readonly backup: string;
      readonly because: string;
      readonly isPrivate?: true;
    }
  | { readonly do: 'keep'; readonly path: string; readonly because: string }
  /** What we wrote there goes, and somebody else's file comes back from its copy, which goes too. */
  | {
      readonly do: 'restore';
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly copy: string;
      readonly because: string;
    }
  /** A file of ours that nobody wants any more; one that somebody edited is copied to `backup` first. */
  | {
      readonly do: 'remove';
      readonly path: string;
      readonly backup?: string;
      readonly because: string;
    };

/** The steps, and what stands in the way of them. */
export interface WritePlan {
  readonly actions: readonly WriteAction[];
  /** Wanted paths where somebody else's file stands and may not be replaced. */
  readonly foreign: readonly string[];
  /** Paths where a file of ours stands that somebody edited, and may be neither replaced nor removed. */
  readonly edited: readonly string[];
  /** Paths where no file can be put, with the reason; nothing may be written then. */
  readonly blocked: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

/**
 * Compares wanted and found files. `found` holds all wanted paths and every other rule file.
 * Foreign files at wanted paths are replaced if `replaceForeign`, else named; foreign files elsewhere
 * are kept. The same goes for files of ours that somebody edited, wanted or not. Actions come in the order in which they must be done: removals last.
 */
export function planWrite(
  wanted: readonly WantedFile[],
  found: FoundFiles,
  options: { readonly replaceForeign: boolean },
): WritePlan {
  const places = new PathsByPlace(found.files);
  const actions = wanted.map((file) => actionFor(file, found));
  const paths = new Set(wanted.map(({ path }) => path));
  const others = [...found.files]
    .filter(([path]) => !paths.has(path))
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([path, file]) => actionForOther(path, file, { places, found }));
  const isReplaced = (author: Author) => (path: string) =>
    !options.replaceForeign && authorAt(found.files.get(path)?.stands) === author;
  const replaced = actions.flatMap((action) => ('backup' in action ? [action.path] : []));
  const copied = others.filter((action) => 'backup' in action);
  const goes = options.replaceForeign ? [] : copied.map(({ path }) => path);
  return {
    actions: [...actions, ...others],
    foreign: replaced.filter(isReplaced('somebody-else')),
    edited: [...replaced.filter(isReplaced('slipway-edited')), ...goes],
    blocked: [...actions, ...copied].flatMap((action) => obstaclesIn(action, found, places)),
  };
}

function authorAt(stands: Standing | undefined): Author | undefined {
  return stands?.kind === 'file' ? authorOf(stands.bytes) : undefined;
}

function actionFor(
  { path, content, because, isChange, isPrivate }: WantedFile,
  { files, copies, written }: FoundFiles,
): WriteAction {
  const stands = files.get(path)?.stands;
  const file = { path, content, because, ...(isPrivate && { isPrivate }) };
  if (stands?.kind !== 'file') return { do: 'write', ...file };
  const { bytes } = stands;
  const isSame = Buffer.from(content).equals(bytes);
  if (isSame) return { do: 'keep', path, because: 'it is as it should be' };
  if (isAsWritten(bytes, written.get(path))) return { do: 'write', ...file };
  const kind = isChange === true ? 'change' : 'replace';
  const backup = copyFor(bytes, copies.get(path) ?? []);
  return { do: kind, ...file, backup };
}

/** True for a file of ours, and for one of somebody else that is as we changed it. */
export function isAsWritten(bytes: Uint8Array, written: WrittenFile | undefined): boolean {
  return authorOf(bytes) === 'slipway' || written?.digest === digestOf(bytes);
}

/** The copy that has the bytes already, else the first name that is free. */
function copyFor(bytes: Uint8Array, copies: readonly FoundCopy[]): string {
  const same = copies.find(
    ({ stands }) => stands.kind === 'file' && Buffer.from(bytes).equals(stands.bytes),
  );
  const copy = same ?? copies.at(-1);
  if (copy === undefined) throw new TypeError('no place for a copy was looked up');
  return copy.path;
}

type FoundCopy = { readonly path: string; readonly stands: Standing };

function actionForOther(
  path: string,
  { stands, link }: FoundFile,
  { places, found }: { readonly places: PathsByPlace; readonly found: FoundFiles },
): readonly WriteAction[] {
  if (stands.kind === 'none') return [];
  const keep = (because: string) => [{ do: 'keep', path, because } as const];
  const written = found.written.get(path);
  const isOurs =
    stands.kind === 'file' &&
    isAsWritten(stands.bytes, written) &&
    !holdsMoreThanCopy(stands.bytes, written, found);
  const isEdited = !isOurs && stands.kind === 'file' && wasOurs(stands.bytes, written);
  if (!(isOurs || isEdited)) {
    return authorAt(stands) === 'slipway-edited'
      ? keep('somebody edited it since Slipway wrote it, and no rule of ours is for it')
      : keep('somebody else wrote it, and no rule of ours is for it');
  }
  if (link !== undefined) {
    return keep(`it lies behind the link ${link}, and nothing is removed through a link`);
  }
  const [other] = places.othersAt(path);
  if (other !== undefined) return keep(`a link makes it one file with ${other}`);
  if (isEdited) {
    const backup = copyFor(stands.bytes, found.copies.get(path) ?? []);
    return [{ do: 'remove', path, backup, because: EDITED_AND_UNWANTED }];
  }
  return [withoutOurs(path, written, found)];
}

/**
 * True for a file of somebody else in which we changed lines, when its copy is gone or was edited: then
 * only the file itself has what was theirs.
 */
export function holdsMoreThanCopy(
  bytes: Uint8Array,
  written: WrittenFile | undefined,
  { before }: FoundFiles,
): boolean {
  if (written?.copy === undefined || authorOf(bytes) === 'slipway') return false;
  const copy = before.get(written.path);
  if (copy?.kind !== 'file') return true;
  const { copyDigest } = written;
  return copyDigest !== undefined && digestOf(copy.bytes) !== copyDigest;
}

/** Why a file goes of which a copy stays. */
export const EDITED_AND_UNWANTED =
  'somebody edited it since Slipway wrote it; no rule needs it any more';

/** True for a file that the record has as a whole file of ours, whatever it says now. */
function wasOurs(bytes: Uint8Array, written: WrittenFile | undefined): boolean {
  if (written === undefined) return false;
  const isWhole = written.copy === undefined || authorOf(bytes) === 'slipway-edited';
  return isWhole || isAsWritten(bytes, written);
}

/** Removes a file of ours, or puts back what was there before it. */
export function withoutOurs(
  path: string,
  written: WrittenFile | undefined,
  { before }: FoundFiles,
): WriteAction {
  const copy = written?.copy;
  const old = before.get(path);
  if (copy === undefined || old?.kind !== 'file') {
    return { do: 'remove', path, because: 'no rule needs it any more' };
  }
  const because = `no rule needs ours any more; it is again as it was before (${copy})`;
  return { do: 'restore', path, bytes: old.bytes, copy, because };
}
