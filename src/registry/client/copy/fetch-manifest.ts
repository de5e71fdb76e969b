import { BlobSizeMismatch } from '../../../content/errors.ts';
import type { ManifestContent } from '../../../content/ports.ts';
import { contentPlace, inPlace } from '../../../oci/content-place.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import { type Manifest, parseManifest } from '../../../oci/manifest.ts';
import { at } from './failures.ts';
import type { ImageCopy } from './image-copy.ts';

/** A manifest as it came, and what it says. */
export interface FetchedManifest {
  readonly content: ManifestContent;
  readonly manifest: Manifest;
}

/** What the job's reference names. */
export function fetchRoot(copy: ImageCopy): Promise<FetchedManifest> {
  return fetchManifest(copy, copy.job.reference);
}

/** A manifest that an index lists. */
export async function fetchListed(copy: ImageCopy, listed: Descriptor): Promise<FetchedManifest> {
  const fetched = await fetchManifest(copy, listed.digest);
  const gotBytes = fetched.content.bytes.length;
  if (gotBytes === listed.size) return fetched;
  const place = sourcePlace(copy, listed.digest);
  const { digest, size: wantBytes } = listed;
  return at(place, () => {
    throw new BlobSizeMismatch({ ...place, digest, wantBytes, gotBytes });
  });
}

async function fetchManifest(copy: ImageCopy, reference: string): Promise<FetchedManifest> {
  return at(sourcePlace(copy, reference), async () => {
    copy.run.signal.throwIfAborted();
    const content = await copy.job.source.fetchManifest(reference, copy.run);
    const where = contentPlace(copy.job.source.label, reference, 'source');
    const { mediaType } = content.descriptor;
    return { content, manifest: inPlace(where, () => parseManifest(content.bytes, mediaType)) };
  });
}

function sourcePlace({ job }: ImageCopy, object: string) {
  return { side: 'source', label: job.source.label, object } as const;
}
