import type { TextEdit } from '../../documents/text-edit.ts';

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

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}

/** Two insertions at one place clash too: nobody said which comes first. */
function clash(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}
