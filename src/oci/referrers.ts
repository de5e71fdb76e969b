/** Artefacts about images: the tag and the index by which they are found. */
import { canonicalJson } from '../shared/json.ts';
import type { Descriptor } from './descriptor.ts';
import { type Digest, digestOf } from './digest.ts';
import type { Manifest } from './manifest.ts';
import { artifactTypeOf } from './manifest-parts.ts';
import { MediaTypes } from './media-types.ts';

/**
 * The tag under which a registry without the referrers API keeps the artefacts about `subject`.
 * `sha256:ab…` → `sha256-ab…`; the algorithm is cut at 32 and the hex at 64 characters, so that
 * sha512 digests fit into a tag.
 * Source: distribution-spec, "Referrers Tag Schema".
 */
export function referrersTag(subject: Digest): string {
  const [algorithm = '', hex = ''] = subject.split(':');
  return `${algorithm.slice(0, 32)}-${hex.slice(0, 64)}`.replaceAll(/[^A-Za-z0-9_.-]/g, '-');
}

/** How an artefact is listed among the referrers of its subject: with its type and annotations. */
export function referrerDescriptor(
  manifest: Manifest,
  stored: Pick<Descriptor, 'digest' | 'size'>,
): Descriptor {
  const artifactType = artifactTypeOf(manifest);
  const { annotations } = manifest.content;
  return {
    mediaType: manifest.mediaType,
    digest: stored.digest,
    size: stored.size,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/**
 * The index that lists referrers, with its bytes: each digest once (the last one given wins), in
 * the given order. An empty list gives a valid, empty index.
 */
export function referrersIndex(referrers: readonly Descriptor[]): {
  descriptor: Descriptor;
  bytes: Uint8Array;
} {
  const manifests = [...new Map(referrers.map((item) => [item.digest, item])).values()];
  const mediaType = MediaTypes.ociIndex;
  const bytes = Buffer.from(canonicalJson({ schemaVersion: 2, mediaType, manifests }));
  return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, bytes };
}
