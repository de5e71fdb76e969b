/** Manifests that the image builder does not make, such as those with odd layers. */
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { digestOf } from '../../src/oci/digest.ts';
import { MediaTypes } from '../../src/oci/media-types.ts';

/** Text as a blob: `blobOf('{}')` → `{ descriptor, bytes }`. */
export function blobOf(text: string, mediaType: string = MediaTypes.octets) {
  const bytes = Buffer.from(text);
  return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, bytes };
}

/** An OCI image manifest with exactly these descriptors. */
export function manifestOf(config: Descriptor, layers: readonly Descriptor[] = []) {
  const mediaType = MediaTypes.ociManifest;
  return blobOf(JSON.stringify({ schemaVersion: 2, mediaType, config, layers }), mediaType);
}

/** An OCI index with exactly these entries. */
export function indexOf(manifests: readonly Descriptor[]) {
  const mediaType = MediaTypes.ociIndex;
  return blobOf(JSON.stringify({ schemaVersion: 2, mediaType, manifests }), mediaType);
}
