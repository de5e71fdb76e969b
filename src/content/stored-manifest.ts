import { inPlace } from '../oci/content-place.ts';
import type { Digest } from '../oci/digest.ts';
import { ManifestTooLarge } from '../oci/errors.ts';
import { type Manifest, maxManifestBytes, parseManifest } from '../oci/manifest.ts';
import type { Run } from '../shared/run.ts';
import { collectBytes } from './byte-streams.ts';
import type { BlobFinder, BlobReader, ManifestContent } from './ports.ts';
import { verifying } from './verifying.ts';

/** A manifest out of a store, checked against its digest and parsed. */
export interface StoredManifest extends ManifestContent {
  readonly manifest: Manifest;
}

/**
 * Reads a manifest that lies in a store as a blob; undefined if it is not there.
 *
 * `declaredType` is what its descriptor says, if there is one. Rejects with MANIFEST_TOO_LARGE
 * before anything is read, MANIFEST_INVALID, MANIFEST_SCHEMA1_UNSUPPORTED, BLOB_DIGEST_MISMATCH.
 */
export async function readStoredManifest(
  store: BlobReader & BlobFinder,
  digest: Digest,
  declaredType: string | undefined,
  run: Run,
): Promise<StoredManifest | undefined> {
  const where = `${digest} in the store`;
  const size = await store.find(digest, run);
  if (size === undefined) return undefined;
  if (size > maxManifestBytes) {
    throw new ManifestTooLarge({ sizeBytes: size, limitBytes: maxManifestBytes, where });
  }
  const blob = { digest, size };
  const origin = { side: 'source', label: 'the store' } as const;
  const bytes = await collectBytes(verifying(blob, origin)(await store.open(blob, run)));
  const manifest = inPlace(where, () => parseManifest(bytes, declaredType));
  return { manifest, bytes, descriptor: { mediaType: manifest.mediaType, digest, size } };
}
