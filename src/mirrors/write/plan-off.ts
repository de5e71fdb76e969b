/** Decides how everything that was written on a node is taken away again; does no I/O. */

import type { FoundFiles } from './found-files.ts';
import type { NodeRecord, WrittenFile } from './node-record.ts';
import { obstaclesIn, PathsByPlace } from './obstacles.ts';
import {
  EDITED_AND_UNWANTED,
  holdsMoreThanCopy,
  isAsWritten,
  type WriteAction,
  type WritePlan,
  withoutOurs,
} from './plan-write.ts';
import { takeOut } from './take-out.ts';

/** How files that others edited since are handled. */
export interface OffOptions {
  /** True to remove edited files of ours too, keeping a copy of each. */
  readonly replaceForeign: boolean;
  /** What we wrote into files of others, by path, as far as it can be made again. */
  readonly ours: ReadonlyMap<string, string>;
}

/**
 * A file of ours goes; somebody else's main configuration is again as it was, or loses our lines only
 * where others changed it too. Files that somebody edited so that nobody can tell are `edited`.
 */
export function planOff(record: NodeRecord, found: FoundFiles, options: OffOptions): WritePlan {
  const places = new PathsByPlace(found.files);
  const plans = record.files.map((file) => actionFor(file, found, options));
  const actions = plans.flatMap((plan) => (plan === undefined || plan === 'edited' ? [] : [plan]));
  return {
    actions,
    foreign: [],
    edited: record.files.filter((_, at) => plans[at] === 'edited').map(({ path }) => path),
    blocked: actions.flatMap((action) => obstaclesIn(action, found, places)),
  };
}

function actionFor(
  file: WrittenFile,
  found: FoundFiles,
  { replaceForeign, ours }: OffOptions,
): WriteAction | 'edited' | undefined {
  const { path, copy } = file;
  const stands = found.files.get(path)?.stands;
  if (stands?.kind !== 'file') return undefined;
  const isSure = !holdsMoreThanCopy(stands.bytes, file, found);
  if (isSure && isAsWritten(stands.bytes, file)) return withoutOurs(path, file, found);
  const before = found.before.get(path);
  const text = ours.get(path);
  if (copy !== undefined && before?.kind === 'file' && text !== undefined) {
    const now = Buffer.from(stands.bytes).toString('utf8');
    const left = takeOut({ before: Buffer.from(before.bytes).toString('utf8'), ours: text, now });
    const because = 'our lines go; what others changed since stays';
    if (left !== undefined) return { do: 'restore', path, bytes: Buffer.from(left), copy, because };
  }
  if (!replaceForeign) return 'edited';
  const backup = found.copies.get(path)?.at(-1)?.path;
  const copied = backup !== undefined && { backup };
  return { do: 'remove', path, because: EDITED_AND_UNWANTED, ...copied };
}
