import type { TypedDocument } from '../documents/document-kind.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { siteKind } from '../site/check-site.ts';
import type { Site, SiteRegistry } from '../site/site.ts';
import type { CommandContext } from './command.ts';
import { DocumentsUnfit, RegistryUndecided } from './errors.ts';
import { readInput } from './read-input.ts';

/** Reads a file with exactly one Site. DOCUMENT_INVALID, DOCUMENTS_UNFIT. */
export async function readSite(
  file: string,
  context: CommandContext,
): Promise<TypedDocument<'Site', Site>> {
  const { content } = await readInput(file, context);
  const [site, second] = readDocuments(content, file, [siteKind]);
  if (site !== undefined && second === undefined) return site;
  const found = second === undefined ? 'no Site' : 'several Sites';
  throw new DocumentsUnfit({ files: [file], wanted: 'one Site', found });
}

/** The registry of a Site that the user names, or the only one. REGISTRY_UNDECIDED. */
export function chooseRegistry(
  site: Site,
  name: string | undefined,
): { readonly name: string; readonly registry: SiteRegistry } {
  const { registries } = site.spec;
  const known = Object.keys(registries);
  const chosen = name ?? (known.length === 1 ? known[0] : undefined);
  const registry = chosen === undefined ? undefined : registries[chosen];
  if (chosen === undefined || registry === undefined) {
    throw new RegistryUndecided({ site: site.metadata.name, typed: name, known });
  }
  return { name: chosen, registry };
}
