import type { TypedDocument } from '../documents/document-kind.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { type SourcePolicy, sourcePolicyKind } from '../release/source-policy.ts';
import type { CommandContext } from './command.ts';
import { DocumentsUnfit } from './errors.ts';
import { readInput } from './read-input.ts';

/** Reads a file with exactly one SourcePolicy. DOCUMENT_INVALID, DOCUMENTS_UNFIT. */
export async function readPolicy(
  file: string,
  context: CommandContext,
): Promise<TypedDocument<'SourcePolicy', SourcePolicy>> {
  const { content } = await readInput(file, context);
  const [policy, second] = readDocuments(content, file, [sourcePolicyKind]);
  if (policy !== undefined && second === undefined) return policy;
  const found = second === undefined ? 'no SourcePolicy' : 'several SourcePolicies';
  throw new DocumentsUnfit({ files: [file], wanted: 'one SourcePolicy', found });
}
