/** Decides what to do with a node's files, from what they shall be and what they are; does no I/O. */

import { compareText } from '../../shared/json.ts';
import { isOurs, type WantedFile } from './wanted-file.ts';

/** One step, with its reason. */
export type WriteAction =
  | {
      readonly do: 'write';
      readonly path: string;
      readonly content: string;
      readonly because: string;
    }
  /** Somebody else's file: copied to `backup` first. */
  | {
      readonly do: 'replace';
      readonly path: string;
      readonly content: string;
      readonly backup: string;
      readonly because: string;
    }
  | { readonly do: 'keep'; readonly path: string; readonly because: string }
  /** A file of ours that nobody wants any more. */
  | { readonly do: 'remove'; readonly path: string; readonly because: string };

/** A file of the node: its text, or undefined where there is none. */
export type FoundFiles = ReadonlyMap<string, string | undefined>;

/** The steps, and the foreign files that stand in the way of them. */
export interface WritePlan {
  readonly actions: readonly WriteAction[];
  readonly foreign: readonly string[];
}

const BACKUP = '.before-slipway';

/**
 * Compares wanted and found files. `found` holds all wanted paths and every other rule file.
 * Foreign files at wanted paths are replaced if `replaceForeign`, else named in `foreign`; foreign
 * files elsewhere are kept. Actions come in the order in which they must be done: removals last.
 */
export function planWrite(
  wanted: readonly WantedFile[],
  found: FoundFiles,
  options: { readonly replaceForeign: boolean },
): WritePlan {
  const actions = wanted.map((file) => actionFor(file, found.get(file.path)));
  const foreign = actions.flatMap((action) => (action.do === 'replace' ? [action.path] : []));
  const paths = new Set(wanted.map(({ path }) => path));
  const rest = [...found].filter(([path, text]) => !paths.has(path) && text !== undefined);
  const others = rest
    .sort(([a], [b]) => compareText(a, b))
    .map(([path, text]) => actionForOther(path, text ?? ''));
  return {
    actions: [...actions, ...others],
    foreign: options.replaceForeign ? [] : foreign,
  };
}

function actionFor({ path, content, because }: WantedFile, text: string | undefined): WriteAction {
  if (text === content) return { do: 'keep', path, because: 'it is as it should be' };
  if (text === undefined || isOurs(text)) return { do: 'write', path, content, because };
  return { do: 'replace', path, content, backup: path + BACKUP, because };
}

function actionForOther(path: string, text: string): WriteAction {
  return isOurs(text)
    ? { do: 'remove', path, because: 'no rule of the Site and the Lock needs it' }
    : { do: 'keep', path, because: 'somebody else wrote it, and no rule of ours is for it' };
}
