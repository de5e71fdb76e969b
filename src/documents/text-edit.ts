/** Changes of a text by place. */

/** The characters from `start` to before `end` (UTF-16 units from 0) become `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * `applyTextEdits('a b c', [{ start: 2, end: 3, text: 'x' }])` → `a x c`. All places are those of the
 * text as it was; edits may come in any order and must not overlap. Two at one place keep their order.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at || edit.end < edit.start || edit.end > text.length) {
      throw new RangeError(`edit ${edit.start}-${edit.end} overlaps or leaves the text`);
    }
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return pieces.join('') + text.slice(at);
}
