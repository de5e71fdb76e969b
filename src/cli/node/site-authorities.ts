import { resolve } from 'node:path';
import type { TypedDocument } from '../../documents/document-kind.ts';
import { pathBeside } from '../../documents/registry-access.ts';
import type { Site } from '../../site/site.ts';
import { readTlsTrust } from '../../trust/certificate-files.ts';
import type { CommandContext } from '../command.ts';

/**
 * The authorities of a Site's registries as PEM, by the registry's name; those without one are left
 * out. Rejects with TRUST_FILE_UNREADABLE, CERTIFICATE_UNREADABLE.
 */
export async function siteAuthorities(
  site: TypedDocument<'Site', Site>,
  context: CommandContext,
): Promise<ReadonlyMap<string, string>> {
  const authorities = new Map<string, string>();
  for (const [name, { trust }] of Object.entries(site.value.spec.registries)) {
    if (trust?.ca === undefined) continue;
    const path = resolve(context.environment.cwd, pathBeside(site.file, trust.ca));
    const { ca } = await readTlsTrust({ ca: path });
    if (ca !== undefined) authorities.set(name, ca);
  }
  return authorities;
}
