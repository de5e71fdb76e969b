/** Plans how keys, tables and items of lists go out of a TOML text, or get another name. */

import type { TextEdit } from './text-edit.ts';
import {
  commentStart,
  commentsEnd,
  isAtOrBelow,
  lineEnd,
  lineStart,
  nextLine,
  type TomlStatement,
  tomlStatements,
} from './toml-lines.ts';
import { allTomlItems, allTomlKeys, tomlItem } from './toml-places.ts';
import type { TomlScan, TomlSpan, TomlStep } from './toml-scan.ts';
import { tomlKeyText } from './toml-write.ts';

/**
 * Takes out what stands at the path: a key with its line, a table with all headers and keys of it, the
 * tables inside it and the comments that belong to it, an item of a list. Undefined if nothing is there.
 *
 * Comments directly above a header, inside the table and directly below its last line go with the
 * table; those that an empty line parts from it stay. Comments above a single key stay.
 */
export function planRemoval(
  scan: TomlScan,
  path: readonly TomlStep[],
): readonly TextEdit[] | undefined {
  const statements = tomlStatements(scan);
  const isGone = statements.map(({ steps }) => isAtOrBelow(steps, path));
  if (!isGone.includes(true)) return planPartRemoval(scan, path);
  const edits: TextEdit[] = [];
  for (let from = isGone.indexOf(true); from !== -1; ) {
    const end = isGone.indexOf(false, from);
    const to = end === -1 ? statements.length : end;
    edits.push(runEdit(scan.text, statements.slice(from, to), statements[to]));
    from = isGone.indexOf(true, to);
  }
  return edits;
}

/** Neighbouring statements go as one piece, with what stands between them. */
function runEdit(
  text: string,
  run: readonly TomlStatement[],
  next: TomlStatement | undefined,
): TextEdit {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('an empty run');
  const isTable = run.some((statement) => 'raw' in statement);
  if (!isTable) {
    const end = nextLine(text, lineEnd(text, last));
    return { start: lineStart(text, first), end, text: '' };
  }
  const start = commentStart(text, first);
  const behind = nextLine(text, commentsEnd(text, last, next));
  const gapStart = emptyLinesStart(text, start);
  const gapEnd = gapStart < start || start === 0 ? emptyLinesEnd(text, behind) : behind;
  return { start: gapEnd === text.length ? gapStart : start, end: gapEnd, text: '' };
}

/** Where the empty lines directly before a place begin. */
function emptyLinesStart(text: string, start: number): number {
  let at = start;
  while (at > 0) {
    const before = text.lastIndexOf('\n', at - 2) + 1;
    if (!/^[ \t]*\r?\n$/.test(text.slice(before, at))) break;
    at = before;
  }
  return at;
}

/** Behind the empty lines that follow; one gap is enough. */
function emptyLinesEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && /^[ \t]*\r?\n?$/.test(text.slice(at, nextLine(text, at)))) {
    at = nextLine(text, at);
  }
  return at;
}

/** Keys of an inline table, or an item of a list in brackets. */
function planPartRemoval(
  scan: TomlScan,
  path: readonly TomlStep[],
): readonly TextEdit[] | undefined {
  const last = path.at(-1);
  const list = typeof last === 'number' ? tomlItem(scan, path.slice(0, -1)) : undefined;
  if (list?.kind === 'array') return withoutParts(list.items, (index) => index === last);
  for (const item of allTomlItems(scan)) {
    if (item.kind !== 'inline-table') continue;
    const parts = item.keys.map(({ start, value }) => ({ start, end: value.end }));
    const edits = withoutParts(parts, (index) => isAtOrBelow(item.keys[index]?.steps ?? [], path));
    if (edits !== undefined) return edits;
  }
  return undefined;
}

/** Each part goes with the comma behind it; the last ones go with the comma before them. */
function withoutParts(
  parts: readonly Pick<TomlSpan, 'start' | 'end'>[],
  isGone: (index: number) => boolean,
): readonly TextEdit[] | undefined {
  const kept = parts.filter((_, index) => !isGone(index));
  if (kept.length === parts.length) return undefined;
  const lastKept = kept.at(-1);
  return parts.flatMap((part, index): TextEdit[] => {
    const next = parts[index + 1];
    if (!isGone(index) || (lastKept?.start ?? -1) > part.start) {
      const isKept = !isGone(index) || next === undefined;
      return isKept ? [] : [{ start: part.start, end: next.start, text: '' }];
    }
    return [{ start: parts[index - 1]?.end ?? part.start, end: part.end, text: '' }];
  });
}

/** Gives the last name of a path another text, in every header and key that has it. */
export function planRename(
  scan: TomlScan,
  path: readonly TomlStep[],
  name: string,
): readonly TextEdit[] | undefined {
  const depth = path.filter((step) => typeof step === 'string').length;
  const edits = [...scan.headers, ...allTomlKeys(scan.keys)].flatMap((place): TextEdit[] => {
    const part = place.parts[depth - 1 - (place.path.length - place.parts.length)];
    if (part === undefined || !isAtOrBelow(place.steps, path)) return [];
    return [{ start: part.start, end: part.end, text: tomlKeyText([name]) }];
  });
  return edits.length === 0 ? undefined : edits;
}
