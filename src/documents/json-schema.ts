import type { DocumentKind } from './document-kind.ts';
import { type Shape, shapeOf } from './shape.ts';

/**
 * The JSON Schema of a kind (draft 7, as editors read it), with title and descriptions:
 * `jsonSchemaFor(siteKind)` → `{ title: 'Site', description: '…', type: 'object', … }`.
 * It says what a document may look like; the checks across fields are only in Slipway.
 */
export function jsonSchemaFor(kind: Pick<DocumentKind, 'kind' | 'schema' | 'summary'>): Shape {
  return { title: kind.kind, description: kind.summary, ...shapeOf(kind.schema) };
}
