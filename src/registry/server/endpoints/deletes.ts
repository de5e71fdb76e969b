import type { Digest } from '../../../oci/digest.ts';
import { type Exchange, sendEmpty } from '../exchange.ts';
import { blobUnknown, manifestUnknown, nameUnknown } from '../refusal.ts';
import type { RegistryParts } from '../registry-parts.ts';
import { requireDeletable } from '../writable.ts';
import { type ManifestTarget, textOf } from './pull-manifest.ts';

/**
 * DELETE `/v2/NAME/manifests/TAG-OR-DIGEST`: a tag alone, or a manifest with the tags that point to
 * it. The bytes stay until garbage collection. Source: distribution-spec, "Content Management".
 */
export async function deleteManifest(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, reference }: ManifestTarget,
): Promise<void> {
  const { repositories } = requireDeletable(parts);
  if ((await repositories.tags(repository)) === undefined) throw nameUnknown(repository);
  if (!(await remove())) throw manifestUnknown(repository, textOf(reference));
  sendEmpty(exchange, 202);

  async function remove(): Promise<boolean> {
    if (reference.kind === 'tag') return repositories.removeTag(repository, reference.tag);
    if (reference.kind === 'invalid') return false;
    const wasThere = await repositories.removeManifest(repository, reference.digest);
    parts.cache.forget(repository, reference.digest);
    return wasThere;
  }
}

/** DELETE `/v2/NAME/blobs/DIGEST`: the repository lets go of it; others may hold it still. */
export async function deleteBlob(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, digest }: { readonly repository: string; readonly digest: Digest },
): Promise<void> {
  const { repositories } = requireDeletable(parts);
  if (!(await repositories.unlinkBlob(repository, digest))) throw blobUnknown(repository, digest);
  sendEmpty(exchange, 202, { 'docker-content-digest': digest });
}
