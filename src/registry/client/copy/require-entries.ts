/** Checks that an index has what a job wants of it, before anything is copied. */
import type { Digest } from '../../../oci/digest.ts';
import { isIndexType } from '../../../oci/media-types.ts';
import { IndexManifestMissing } from './errors.ts';
import { placed } from './failures.ts';
import { type FetchedManifest, fetchListed } from './fetch-manifest.ts';
import type { ImageCopy } from './image-copy.ts';

/**
 * Rejects with INDEX_MANIFEST_MISSING if a wanted manifest is nowhere in the index. What is no index
 * is copied whole, so there is nothing to check.
 */
export async function requireEntries(copy: ImageCopy, fetched: FetchedManifest): Promise<void> {
  const { manifests, source } = copy.job;
  const { manifest, content } = fetched;
  if (manifest.kind !== 'index' || manifests === undefined) return;
  const seen = await digestsIn(copy, fetched, manifests);
  const missing = [...manifests].filter((one) => !seen.has(one));
  if (missing.length === 0) return;
  const { label } = source;
  const { digest } = content.descriptor;
  const error = new IndexManifestMissing({ label, digest, missing });
  throw placed(error, { side: 'source', label, object: digest });
}

/** The index itself, its entries, and those of the wanted indexes inside it. */
async function digestsIn(
  copy: ImageCopy,
  { manifest, content }: FetchedManifest,
  wanted: ReadonlySet<Digest>,
): Promise<Set<Digest>> {
  const seen = new Set([content.descriptor.digest]);
  if (manifest.kind !== 'index') return seen;
  for (const entry of manifest.content.manifests) {
    seen.add(entry.digest);
    if (!wanted.has(entry.digest) || !isIndexType(entry.mediaType)) continue;
    const inner = await digestsIn(copy, await fetchListed(copy, entry), wanted);
    for (const digest of inner) seen.add(digest);
  }
  return seen;
}
