import type { ManifestContent } from '../../../content/ports.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import { type Digest, digestOf, splitDigest } from '../../../oci/digest.ts';
import type { ImageIndex } from '../../../oci/manifest.ts';
import { canonicalJson } from '../../../shared/json.ts';

/**
 * The same index with only the images that are there, under the digests they have there. All
 * fields and the order of images stay; the digest does not, so callers record the pair.
 * Keys are sorted: the same input gives the same bytes (promise P9).
 */
export function rewriteIndex(
  original: ManifestContent,
  index: ImageIndex,
  present: ReadonlyMap<Digest, Descriptor>,
): ManifestContent {
  const manifests = index.manifests.flatMap((entry) => {
    const now = present.get(entry.digest);
    return now === undefined ? [] : [{ ...entry, digest: now.digest, size: now.size }];
  });
  const bytes = Buffer.from(canonicalJson({ ...index, manifests }));
  const { algorithm } = splitDigest(original.descriptor.digest);
  const { mediaType } = original.descriptor;
  return {
    descriptor: { mediaType, digest: digestOf(bytes, algorithm), size: bytes.length },
    bytes,
  };
}
