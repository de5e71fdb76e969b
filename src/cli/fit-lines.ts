const colours = String.raw`(?:\u001b\[[0-9;]*m)*`;
/** A letter that takes a column, with the colour codes before it, which take none. */
const cell = new RegExp(`(${colours})([^])`, 'gu');
const lastColours = new RegExp(`${colours}$`);
/** From here on a line is typed again by people, so it stays one line, however long. */
const command = /(?<=^|\s)(?:next: |go on: |\$ |slipway [a-z]|curl -|systemctl |[A-Z_]{3,}=\S+ )/;
/** A code that was lined up with those of other lines. */
const linedUpCode = new RegExp(` {3,}(${colours}[A-Z][A-Z0-9_]+)$`);

/**
 * Breaks lines that are wider than `width` at blanks; what follows is indented to the column in which
 * the text of the line begins:
 *
 * ```text
 * release.yaml:16:13  registry.k8s.io (source) cannot be
 *                     reached: no such host name
 * ```
 * Words, commands and lines of a diff stay whole, also where they are wider. Colours go on across lines.
 */
export function fitLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => fitLine(line, width))
    .join('\n');
}

function fitLine(whole: string, width: number): readonly string[] {
  if (whole.length <= width || isDiffLine(whole)) return [whole];
  const [after = ''] = lastColours.exec(whole) ?? [];
  const line = whole.slice(0, whole.length - after.length);
  if (cellsOf(line).length <= width) return [whole];
  const cells = cellsOf(line.replace(linedUpCode, '  $1'));
  const plain = cells.map(({ letter }) => letter).join('');
  const hang = textColumn(plain, width);
  const first = breakAfter(plain, 0, { room: width, least: hang });
  const pieces = [textOf(cells.slice(0, first))];
  for (let start = first; start < cells.length; ) {
    const end = breakAfter(plain, start, { room: width - hang, least: 1 });
    pieces.push(' '.repeat(hang) + withoutBlanksBefore(cells.slice(start, end)));
    start = end;
  }
  return pieces.with(-1, pieces.at(-1) + after);
}

/** Lines of a diff are taken for a file, so they stay as they are. */
function isDiffLine(line: string): boolean {
  return /^[-+]/.test(line);
}

interface Cell {
  /** One code unit for each cell, so that offsets in the plain text are numbers of cells. */
  readonly letter: string;
  readonly text: string;
  readonly colour: string;
}

function cellsOf(line: string): readonly Cell[] {
  return Array.from(line.matchAll(cell), ([, colour = '', text = '']) => ({
    letter: text.length === 1 ? text : '?',
    text,
    colour,
  }));
}

function textOf(cells: readonly Cell[]): string {
  return cells
    .map(({ colour, text }) => colour + text)
    .join('')
    .trimEnd();
}

function withoutBlanksBefore(cells: readonly Cell[]): string {
  const start = cells.findIndex(({ letter }) => letter !== ' ');
  const before = cells.slice(0, start).map(({ colour }) => colour);
  return before.join('') + textOf(cells.slice(start));
}

/** Words that stand before a text, in a column of their own. */
const label = /^ +(?:because|asked|do|note) +(?=\S)/;
const widestLabel = 24;

/**
 * Where the text of a line begins: behind its label, or behind the last wide gap in its first half. Else
 * where the line itself begins if it is indented far already, and two columns behind that if not, or
 * if a mark stands there. A command is no text: it goes below, unless only a label stands before it.
 */
function textColumn(plain: string, width: number): number {
  const labelled = label.exec(plain)?.[0].length;
  if (labelled !== undefined) return labelled;
  const typed = plain.search(command);
  const gaps = [...plain.matchAll(/\S {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length);
  const inside = gaps.filter(
    (column) => column <= width / 2 && (column !== typed || column <= widestLabel),
  );
  const begin = plain.search(/\S/);
  const isFar = begin >= 4 && /\w/.test(plain.charAt(begin));
  return inside.at(-1) ?? (isFar ? begin : begin + 2);
}

/** Where the line that begins at `start` ends: at a blank, or at the end of the text. */
function breakAfter(
  plain: string,
  start: number,
  { room, least }: { readonly room: number; readonly least: number },
): number {
  if (plain.length - start <= room) return plain.length;
  const found = plain.slice(start).search(command);
  const kept = found === -1 ? plain.length : start + found;
  const last = plain.lastIndexOf(' ', Math.min(start + room, kept - 1));
  const isBreak = last >= start + least && plain.slice(start, last).trim() !== '';
  if (isBreak && (last === kept - 1 || wordAt(plain, last) <= room)) return last;
  const next = plain.indexOf(' ', start + room);
  return next === -1 || next >= kept || kept <= start + least ? plain.length : next;
}

/** How long the word behind a blank is: one that fits into no line is better left to the terminal. */
function wordAt(plain: string, blank: number): number {
  const end = plain.indexOf(' ', blank + 1);
  return (end === -1 ? plain.length : end) - blank - 1;
}
