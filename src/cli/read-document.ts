import type { DocumentKind, TypedDocument } from '../documents/document-kind.ts';
import { readDocuments } from '../documents/read-documents.ts';
import type { CommandContext } from './command.ts';
import { DocumentsUnfit } from './errors.ts';
import { readInput } from './read-input.ts';

/**
 * Reads a file that holds exactly one document of a kind: `readDocument('site.yaml', siteKind, context)`.
 * DOCUMENT_UNREADABLE, DOCUMENT_INVALID, DOCUMENTS_UNFIT.
 */
export async function readDocument<Name extends string, Value>(
  file: string,
  kind: DocumentKind<Name, Value>,
  context: CommandContext,
): Promise<TypedDocument<Name, Value>> {
  const { content } = await readInput(file, context);
  const documents = readDocuments(content, file, [kind]);
  const [document, second] = documents;
  if (document !== undefined && second === undefined) return document;
  const found = `${documents.length} documents of the kind ${kind.kind}`;
  throw new DocumentsUnfit({ files: [file], wanted: `one ${kind.kind}`, found });
}
