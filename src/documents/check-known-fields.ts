import type { z } from 'zod';
import type { DocumentKind } from './document-kind.ts';
import type { Path, Problem } from './problem.ts';
import type { Tree } from './tree.ts';
import { typedDocument } from './typed-document.ts';

/**
 * What the checks of a kind find in a document whose only faults are unknown fields, as if those were
 * not there, so that one misspelt field does not hide everything else.
 *
 * About a mapping that holds an unknown field, and about what is around it, nothing more is said:
 * `image` in place of `images` is one problem, not also a component without images.
 */
export function checkKnownFields(
  kind: DocumentKind,
  tree: Tree,
  issues: readonly z.core.$ZodIssue[],
): readonly Problem[] {
  const value = structuredClone(tree.value);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') return [];
    const mapping = valueAt(value, issue.path);
    for (const key of issue.keys) Reflect.deleteProperty(mapping, key);
  }
  const parsed = kind.schema.safeParse(value);
  if (!parsed.success || kind.check === undefined) return [];
  const document = typedDocument(kind.kind, parsed.data, tree);
  const silenced = new Set<Problem>();
  const problemAt: typeof document.problemAt = (path, problem) => {
    const found = document.problemAt(path, problem);
    if (issues.some((issue) => isAround(path, issue.path))) silenced.add(found);
    return found;
  };
  return kind.check({ ...document, problemAt }).filter((problem) => !silenced.has(problem));
}

function isAround(path: Path, inner: readonly PropertyKey[]): boolean {
  return path.length <= inner.length && path.every((part, index) => part === inner[index]);
}

/** The schema has just walked this path, so every step of it is there. */
function valueAt(value: unknown, path: readonly PropertyKey[]): object {
  let found = value;
  for (const part of path) found = isObject(found) ? Reflect.get(found, part) : undefined;
  return isObject(found) ? found : {};
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
