import type { Digest } from '../oci/digest.ts';
import type { Lock, LockedBlob, LockedChart, LockedImage, LockedSource } from '../release/lock.ts';
import { blobsOfChart, blobsOfImage } from '../release/locked-blobs.ts';

/** Where one blob of the Lock is fetched from, and how registries give it out. */
export interface BlobOrigin {
  readonly source: LockedSource;
  /** Manifests and blobs have different addresses in a registry. */
  readonly kind: 'manifest' | 'blob';
  readonly mediaType: string;
  /** Everything that needs it, for messages. */
  readonly neededBy: readonly string[];
}

/**
 * For every blob of a Lock the repository to fetch it from: that of the first image (or chart, in the
 * Lock's order) that names it, so that a blob shared by many is fetched once.
 */
export function originsOf(lock: Lock): ReadonlyMap<Digest, BlobOrigin> {
  const origins = new Map<Digest, BlobOrigin & { neededBy: string[] }>();
  const add = (
    blob: LockedBlob,
    item: LockedImage | LockedChart,
    manifests: ReadonlySet<Digest>,
  ) => {
    const known = origins.get(blob.digest);
    if (known !== undefined) {
      if (!known.neededBy.includes(item.name)) known.neededBy.push(item.name);
      return;
    }
    const kind = manifests.has(blob.digest) ? 'manifest' : 'blob';
    const { source, name } = item;
    origins.set(blob.digest, { source, kind, mediaType: blob.mediaType, neededBy: [name] });
  };
  for (const image of lock.spec.images) {
    const manifests = manifestsOf(image);
    for (const blob of blobsOfImage(image)) add(blob, image, manifests);
  }
  for (const chart of lock.spec.charts) {
    for (const blob of blobsOfChart(chart)) add(blob, chart, new Set([chart.manifest.digest]));
  }
  return origins;
}

function manifestsOf(image: LockedImage): ReadonlySet<Digest> {
  return new Set([
    image.target.digest,
    ...(image.indexes ?? []).map((index) => index.digest),
    ...image.platforms.map((platform) => platform.manifest.digest),
  ]);
}
