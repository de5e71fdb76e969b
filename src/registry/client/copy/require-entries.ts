/** Checks that an index has what a job wants of it, before anything is copied. */
import type { Digest } from '../../../oci/digest.ts';
import type { ImageIndex } from '../../../oci/manifest.ts';
import { isIndexType } from '../../../oci/media-types.ts';
import { formatPlatform, type Platform } from '../../../oci/platform.ts';
import { selectPlatforms } from '../../../oci/select-platforms.ts';
import { IndexManifestMissing, IndexPlatformMissing } from './errors.ts';
import { placed } from './failures.ts';
import { type FetchedManifest, fetchListed } from './fetch-manifest.ts';
import type { ImageCopy } from './image-copy.ts';

/**
 * Rejects with INDEX_PLATFORM_MISSING or INDEX_MANIFEST_MISSING if something wanted is nowhere in
 * the index. What is no index is copied whole, so there is nothing to check.
 */
export async function requireEntries(copy: ImageCopy, fetched: FetchedManifest): Promise<void> {
  const { manifests, platforms, source } = copy.job;
  const { manifest, content } = fetched;
  if (manifest.kind !== 'index') return;
  const { digest } = content.descriptor;
  const name = { label: source.label, digest };
  const place = { side: 'source', label: source.label, object: digest } as const;
  if (manifests !== undefined) {
    const seen = await digestsIn(copy, fetched, manifests);
    const missing = [...manifests].filter((one) => !seen.has(one));
    if (missing.length > 0) throw placed(new IndexManifestMissing({ ...name, missing }), place);
  } else if (platforms !== undefined) {
    const missing = (await missingIn(copy, fetched, platforms)).map(formatPlatform);
    const offered = offeredBy(manifest.content);
    if (missing.length > 0) {
      throw placed(new IndexPlatformMissing({ ...name, missing, offered }), place);
    }
  }
}

/** Those of the wanted platforms that neither the index nor one inside it has. */
export async function missingIn(
  copy: ImageCopy,
  { manifest }: FetchedManifest,
  wanted: readonly Platform[],
): Promise<readonly Platform[]> {
  if (manifest.kind !== 'index') return wanted;
  const choice = selectPlatforms(manifest.content, wanted);
  // Images without a platform may run anywhere: only their config would tell.
  if (choice.unmarked.length > 0) return [];
  let missing: readonly Platform[] = choice.missing;
  for (const nested of choice.nested) {
    if (missing.length === 0) break;
    missing = await missingIn(copy, await fetchListed(copy, nested), missing);
  }
  return missing;
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

function offeredBy(index: ImageIndex): readonly string[] {
  return index.manifests.flatMap(({ platform }) => (platform ? [formatPlatform(platform)] : []));
}
