/** Finds image names in files that people have: plain lists and Kubernetes manifests. */

import type { Path, Position, Problem } from '../../documents/problem.ts';
import type { Tree } from '../../documents/tree.ts';
import { parseYaml } from '../../documents/yaml-tree.ts';

/** A name where it stands; both counted from 1. */
export interface FoundName extends Position {
  readonly text: string;
}

/** All names of a file in their order, and what of it could not be read. */
export interface FoundNames {
  readonly names: readonly FoundName[];
  readonly problems: readonly Problem[];
}

/** A file with image names. */
export interface NamesFile {
  readonly kind: 'images' | 'manifest';
  /** As findings name it. */
  readonly file: string;
  readonly text: string;
}

/** All names of a file of either kind. */
export function namesInFile({ kind, file, text }: NamesFile): FoundNames {
  return kind === 'images' ? namesInList(text) : namesInManifest(text, file);
}

/** One name a line; `#` begins a comment at the start of a line or after a blank. */
function namesInList(text: string): FoundNames {
  const names = text.split(/\r?\n/).flatMap((line, index): FoundName[] => {
    const found = line.replace(/(?:^|\s)#.*$/, '').trim();
    if (found === '') return [];
    return [{ text: found, line: index + 1, column: line.indexOf(found) + 1 }];
  });
  return { names, problems: [] };
}

/**
 * Every `image:` that is text, and every image volume's `reference:`, in all documents. A document that
 * is no YAML, such as a template, gives its problems and no names.
 */
function namesInManifest(text: string, file: string): FoundNames {
  const { trees, problems } = parseYaml(text, file);
  return { names: trees.flatMap((tree) => namesIn(tree, tree.value, [])), problems };
}

function namesIn(tree: Tree, value: unknown, path: Path): readonly FoundName[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (typeof item !== 'string') return namesIn(tree, item, at);
    const isImage = key === 'image' || (key === 'reference' && path.at(-1) === 'image');
    return isImage ? [{ text: item, ...tree.positionOf(at) }] : [];
  });
}
