import { isDeepStrictEqual } from 'node:util';

/** One line a difference, `[]` if none: `pull_as: expected "a", got "b"`. Absent is undefined. */
export function compareField(name: string, expected: unknown, got: unknown): string[] {
  if (isDeepStrictEqual(expected, got)) return [];
  return [`${name}: expected ${show(expected)}, got ${show(got)}`];
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
