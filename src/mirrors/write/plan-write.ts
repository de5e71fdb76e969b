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
  /** Somebody else's file, copied to `backup` first; `change` keeps all but the lines that are ours. */
  | {
      readonly do: 'replace' | 'change';
      readonly path: string;
      readonly content: string;
      readonly backup: string;
      readonly because: string;
    }
  | { readonly do: 'keep'; readonly path: string; readonly because: string }
  /** A file of ours that nobody wants any more. */
  | { readonly do: 'remove'; readonly path: string; readonly because: string };

/** What stands at a path of the node; `blocked`: something that is neither a file that can be read nor nothing. */
export type FoundFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'blocked'; readonly reason: string };

/** The files of a node by path. */
export type FoundFiles = ReadonlyMap<string, FoundFile>;

/** The steps, and the foreign files that stand in the way of them. */
export interface WritePlan {
  readonly actions: readonly WriteAction[];
  readonly foreign: readonly string[];
  /** Wanted paths where no file can be put, with the reason; nothing may be written then. */
  readonly blocked: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
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
  const actions = wanted.map((file) => actionFor(file, found.get(file.path) ?? none));
  const isForeign = (action: WriteAction) => action.do === 'replace' || action.do === 'change';
  const foreign = actions.filter(isForeign).map(({ path }) => path);
  const paths = new Set(wanted.map(({ path }) => path));
  const touched = new Set([...paths, ...foreign.map((path) => path + BACKUP)]);
  const others = [...found]
    .filter(([path]) => !touched.has(path))
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([path, file]) => actionForOther(path, file));
  return {
    actions: [...actions, ...others],
    foreign: options.replaceForeign ? [] : foreign,
    blocked: [...found].flatMap(([path, file]) =>
      touched.has(path) && file.kind === 'blocked' ? [{ path, reason: file.reason }] : [],
    ),
  };
}

const none: FoundFile = { kind: 'none' };

/** The paths that {@link planWrite} has to know about for one wanted path. */
export function pathsOfInterest(path: string): readonly string[] {
  return [path, path + BACKUP];
}

function actionFor(
  { path, content, because, isChange }: WantedFile,
  found: FoundFile,
): WriteAction {
  const text = found.kind === 'text' ? found.text : undefined;
  if (text === content) return { do: 'keep', path, because: 'it is as it should be' };
  if (text === undefined || isOurs(text)) return { do: 'write', path, content, because };
  const kind = isChange === true ? 'change' : 'replace';
  return { do: kind, path, content, backup: path + BACKUP, because };
}

function actionForOther(path: string, found: FoundFile): readonly WriteAction[] {
  if (found.kind === 'none' || path.endsWith(BACKUP)) return [];
  const isOurOwn = found.kind === 'text' && isOurs(found.text);
  const because = isOurOwn
    ? 'no rule of the Site and the Lock needs it'
    : 'somebody else wrote it, and no rule of ours is for it';
  return [{ do: isOurOwn ? 'remove' : 'keep', path, because }];
}
