/** A place in a text, counted from 1 in UTF-16 units, as editors and SARIF do. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** `positionAt('a\nbc', 3)` → line 2, column 2. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}
