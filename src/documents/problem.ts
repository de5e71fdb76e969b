/** One thing that is wrong in a document, with its place; reading collects all of them. */

/** A place in a text, both counted from 1; columns count UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * `{ file: 'release.yaml', line: 14, column: 9, code: 'DOC_UNKNOWN_FIELD', message: 'unknown …' }`.
 * `hint` says what to do, or what would be right; it is shown on a line of its own.
 */
export interface Problem extends Position {
  readonly file: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Where a value is within its document: `['spec', 'components', 2, 'name']`. */
export type Path = readonly (string | number)[];

/** `['spec', 'components', 2, 'name']` → `spec.components[2].name`; the root is `the document`. */
export function formatPath(path: Path): string {
  if (path.length === 0) return 'the document';
  return path.reduce<string>((text, part) => text + formatPart(part, text === ''), '');
}

function formatPart(part: string | number, isFirst: boolean): string {
  if (typeof part === 'number') return `[${part}]`;
  if (!/^[A-Za-z_][\w-]*$/.test(part)) return `[${JSON.stringify(part)}]`;
  return isFirst ? part : `.${part}`;
}
