import type { Mend } from '../finding.ts';

/** One change of a text: the characters from `start` to before `end` (UTF-16 units) become `text`. */
export type TextEdit = Extract<Mend, { kind: 'edit' }>['edits'][number];

/**
 * Chooses, of several groups of edits to one text, those that go together: a group whose place another
 * one has taken is left for a later round, whole. Equal edits are one.
 */
export function chooseEdits<Group extends { readonly edits: readonly TextEdit[] }>(
  groups: readonly Group[],
  length: number,
): { readonly edits: readonly TextEdit[]; readonly chosen: readonly Group[] } {
  const edits: TextEdit[] = [];
  const chosen: Group[] = [];
  for (const group of groups) {
    const isInside = group.edits.every(
      ({ start, end }) => start >= 0 && start <= end && end <= length,
    );
    const fresh = group.edits.filter((edit) => !edits.some((other) => isSame(edit, other)));
    if (!isInside || fresh.some((edit) => edits.some((other) => clash(edit, other)))) continue;
    edits.push(...fresh);
    chosen.push(group);
  }
  return { edits, chosen };
}

/** `applyEdits('abc', [{ start: 1, end: 2, text: 'x' }])` → `axc`; from the end, so that places stay true. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const fromEnd = edits.toSorted((a, b) => b.start - a.start || b.end - a.end);
  return fromEnd.reduce(
    (before, edit) => before.slice(0, edit.start) + edit.text + before.slice(edit.end),
    text,
  );
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}

/** Two insertions at one place clash too: nobody said which comes first. */
function clash(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}
