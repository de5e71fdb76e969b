import type { TypedDocument } from './document-kind.ts';
import type { Tree } from './tree.ts';

/** A value that passed its schema, with the places of the tree that it was read from. */
export function typedDocument(kind: string, value: unknown, tree: Tree): TypedDocument {
  return {
    kind,
    value,
    file: tree.file,
    positionOf: (path) => tree.positionOf(path),
    problemAt: (path, { at, ...text }) => ({
      file: tree.file,
      ...(at === 'key' ? tree.keyPositionOf(path) : tree.positionOf(path)),
      ...text,
    }),
  };
}
