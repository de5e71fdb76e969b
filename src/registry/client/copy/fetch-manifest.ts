import { BlobSizeMismatch } from '../../../content/errors.ts';
import type { ManifestContent } from '../../../content/ports.ts';
import { readStoredManifest } from '../../../content/stored-manifest.ts';
import { contentPlace, inPlace } from '../../../oci/content-place.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import { isDigest } from '../../../oci/digest.ts';
import { type Manifest, parseManifest } from '../../../oci/manifest.ts';
import { at } from './failures.ts';
import type { ImageCopy } from './image-copy.ts';

/** A manifest as it came, and what it says. */
export interface FetchedManifest {
  readonly content: ManifestContent;
  readonly manifest: Manifest;
}

/** What the job's reference names, from the cache if the reference is a digest that it holds. */
export function fetchRoot(copy: ImageCopy): Promise<FetchedManifest> {
  return fetchManifest(copy, copy.job.reference, undefined);
}

/** A manifest that an index lists or a referrers list names. */
export async function fetchListed(copy: ImageCopy, listed: Descriptor): Promise<FetchedManifest> {
  const fetched = await fetchManifest(copy, listed.digest, listed.mediaType);
  const gotBytes = fetched.content.bytes.length;
  if (gotBytes === listed.size) return fetched;
  const place = sourcePlace(copy, listed.digest);
  const { digest, size: wantBytes } = listed;
  return at(place, () => {
    throw new BlobSizeMismatch({ ...place, digest, wantBytes, gotBytes });
  });
}

async function fetchManifest(
  copy: ImageCopy,
  reference: string,
  mediaType: string | undefined,
): Promise<FetchedManifest> {
  const cached = await fromCache(copy, reference, mediaType);
  if (cached !== undefined) return cached;
  return at(sourcePlace(copy, reference), async () => {
    copy.run.signal.throwIfAborted();
    const content = await copy.job.source.fetchManifest(reference, copy.run);
    const where = contentPlace(copy.job.source.label, reference, 'source');
    const { mediaType } = content.descriptor;
    return { content, manifest: inPlace(where, () => parseManifest(content.bytes, mediaType)) };
  });
}

/** Only saves a request, so a cache that is damaged counts as one that does not have it. */
async function fromCache(
  copy: ImageCopy,
  reference: string,
  mediaType: string | undefined,
): Promise<FetchedManifest | undefined> {
  const cache = copy.setting.options.manifestCache;
  if (cache === undefined || !isDigest(reference)) return undefined;
  try {
    const stored = await readStoredManifest(cache, reference, mediaType, copy.run);
    return stored && { content: stored, manifest: stored.manifest };
  } catch (error) {
    copy.run.log.warn('the manifest cache is damaged', { digest: reference, error });
    return undefined;
  }
}

function sourcePlace({ job }: ImageCopy, object: string) {
  return { side: 'source', label: job.source.label, object } as const;
}
