import { diffLines, type LineChange } from './line-diff.ts';

/** Lines around a change that show where it is, as usual. */
const context = 3;

/**
 * Two texts as a unified diff without its two head lines; no lines when they are the same.
 * `('a\n', 'b\n')` → `@@ -1 +1 @@`, `-a`, `+b`. `show` says how the lines of each text are shown, as many as
 * there are; which of them differ is told by the texts themselves.
 */
export function unifiedDiff(before: string, after: string, show = asTheyAre): readonly string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const [oldShown, freshShown] = [show(old), show(fresh)];
  return hunksOf(diffLines(old, fresh)).flatMap((changes) =>
    hunkLines(oldShown, freshShown, changes),
  );
}

function asTheyAre(lines: readonly string[]): readonly string[] {
  return lines;
}

/** A last line without an end is another line than one with it. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

/** Changes whose context touches stand in one hunk. */
function hunksOf(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last !== undefined && change.oldStart - last.oldEnd <= 2 * context)
      hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkLines(
  old: readonly string[],
  fresh: readonly string[],
  changes: readonly LineChange[],
): readonly string[] {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = Math.max(0, first.oldStart - context);
  const end = Math.min(old.length, last.oldEnd + context);
  const shift = first.newStart - first.oldStart;
  const lines: string[] = [];
  let at = start;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    lines.push(...old.slice(at, oldStart).map((line) => ` ${line}`));
    lines.push(...old.slice(oldStart, oldEnd).map((line) => `-${line}`));
    lines.push(...fresh.slice(newStart, newEnd).map((line) => `+${line}`));
    at = oldEnd;
  }
  lines.push(...old.slice(at, end).map((line) => ` ${line}`));
  const newCount = lines.filter((line) => !line.startsWith('-')).length;
  const head = `@@ -${rangeOf(start, end - start)} +${rangeOf(start + shift, newCount)} @@`;
  return [head, ...lines].flatMap((line) => line.split('\n'));
}

/** `3,7`; `3` for one line; for none the line before. */
function rangeOf(start: number, count: number): string {
  if (count === 0) return `${start},0`;
  return count === 1 ? String(start + 1) : `${start + 1},${count}`;
}
