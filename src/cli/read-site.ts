import type { TypedDocument } from '../documents/document-kind.ts';
import { siteKind } from '../site/check-site.ts';
import type { Site, SiteRegistry } from '../site/site.ts';
import type { CommandContext } from './command.ts';
import { RegistryUndecided } from './errors.ts';
import { readDocument } from './read-document.ts';

/** Reads the Site that the user named. DOCUMENT_INVALID, DOCUMENTS_UNFIT. */
export function readSite(
  file: string,
  context: CommandContext,
): Promise<TypedDocument<'Site', Site>> {
  return readDocument(file, siteKind, context);
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
