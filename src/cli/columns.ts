import { stripVTControlCharacters } from 'node:util';

/**
 * Lines up columns, two blanks between, the last column free:
 * `[['a', 'first'], ['long', 'second']]` → `a     first`, `long  second`.
 */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, visibleWidth(cell));
    }
  }
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padTo(cell, widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Breaks text at blanks into lines of at most `width` columns; longer words stay whole. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (visibleWidth(longer) > width && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Cuts a line without colours to `width` columns, with an ellipsis. */
export function cutLine(line: string, width: number): string {
  const letters = Array.from(line);
  return letters.length <= width ? line : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** How many columns a text takes; colours take none. */
export function visibleWidth(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

function padTo(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - visibleWidth(cell)));
}
