/** How two texts differ, in the form that `patch` and people read. */

const AROUND = 3;
/** Beyond this many compared pairs of lines the middle is shown as replaced, which is still true. */
const MOST_PAIRS = 4_000_000;

type Line = { readonly mark: ' ' | '-' | '+'; readonly text: string };

/**
 * `unifiedDiff('a', 'b', 'x\n', 'y\n')` → `--- a`, `+++ b`, `@@ -1 +1 @@`, `-x`, `+y`; empty for equal
 * texts. Ends without a line break.
 */
export function unifiedDiff(from: string, to: string, before: string, after: string): string {
  if (before === after) return '';
  const lines = compareLines(splitLines(before), splitLines(after));
  return [`--- ${from}`, `+++ ${to}`, ...hunksOf(lines)].join('\n');
}

/** A last line without a line break is another line than the same one with it. */
function splitLines(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop();
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function compareLines(a: readonly string[], b: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const middle = compareMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...marked(' ', a.slice(0, start)), ...middle, ...marked(' ', a.slice(a.length - end))];
}

function marked(mark: Line['mark'], texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ mark, text }));
}

/** The longest common lines stay; of several ways the one that removes first. */
function compareMiddle(a: readonly string[], b: readonly string[]): readonly Line[] {
  if (a.length * b.length > MOST_PAIRS) return [...marked('-', a), ...marked('+', b)];
  const common = commonLengths(a, b);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [left = '', right = ''] = [a[i], b[j]];
    const mark = left === right ? ' ' : markAt(common, i, j);
    lines.push({ mark, text: mark === '+' ? right : left });
    i += mark === '+' ? 0 : 1;
    j += mark === '-' ? 0 : 1;
  }
  return [...lines, ...marked('-', a.slice(i)), ...marked('+', b.slice(j))];
}

/** Which of two unlike lines comes first: the one without which more stays in common. */
function markAt(common: readonly (readonly number[])[], i: number, j: number): '-' | '+' {
  return (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0) ? '-' : '+';
}

/** `[i][j]`: how many lines the rests of both texts from there on have in common. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      if (row === undefined) continue;
      row[j] =
        a[i] === b[j]
          ? (table[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

function hunksOf(lines: readonly Line[]): readonly string[] {
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  const hunks: { start: number; end: number }[] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    const end = Math.min(lines.length, index + AROUND + 1);
    if (last !== undefined && index - AROUND <= last.end) last.end = end;
    else hunks.push({ start: Math.max(0, index - AROUND), end });
  }
  return hunks.flatMap(({ start, end }) => hunk(lines, start, end));
}

function hunk(lines: readonly Line[], start: number, end: number): readonly string[] {
  const inside = lines.slice(start, end);
  const old = range(lines, '+', start, inside);
  const now = range(lines, '-', start, inside);
  return [`@@ -${old} +${now} @@`, ...inside.map(({ mark, text }) => mark + text)];
}

/** `3,7`: the first line and how many, of the side that has no lines with `foreign`. */
function range(lines: readonly Line[], foreign: '+' | '-', start: number, inside: readonly Line[]) {
  const before = lines.slice(0, start).filter(({ mark }) => mark !== foreign).length;
  const count = inside.filter(({ mark }) => mark !== foreign).length;
  const first = count === 0 ? before : before + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
}
