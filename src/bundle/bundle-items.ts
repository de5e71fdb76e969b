import type { Digest } from '../oci/digest.ts';
import { parseReference } from '../oci/reference.ts';
import type { Lock, LockedChart, LockedImage } from '../release/lock.ts';
import { blobsOfChart, blobsOfImage } from '../release/locked-blobs.ts';
import type { PublishableImage } from '../site/publication.ts';

/** An image or chart of a Lock with what naming and copying need. */
export interface BundleItem extends PublishableImage {
  readonly kind: 'image' | 'chart';
  readonly name: string;
  /** The manifests that the bundle holds of it; an index may name more. */
  readonly manifests: ReadonlySet<Digest>;
  /** Everything that the bundle holds of it, manifests too; one blob may come several times. */
  readonly blobs: readonly Digest[];
}

/** Everything of a Lock that gets names in a registry: images, then charts, in its order. */
export function bundleItems({ spec }: Lock): BundleItem[] {
  return [...spec.images.map(imageItem), ...spec.charts.map(chartItem)];
}

function imageItem(image: LockedImage): BundleItem {
  const manifests = [
    ...(image.indexes ?? []).map((index) => index.digest),
    ...image.platforms.map((platform) => platform.manifest.digest),
  ];
  return {
    kind: 'image',
    name: image.name,
    reference: parseReference(image.name),
    class: image.class,
    flatName: image.flatName,
    target: image.target.digest,
    manifests: new Set(manifests),
    blobs: blobsOfImage(image).map(({ digest }) => digest),
  };
}

function chartItem(chart: LockedChart): BundleItem {
  return {
    kind: 'chart',
    name: chart.name,
    reference: parseReference(chart.name),
    class: chart.class,
    target: chart.manifest.digest,
    manifests: new Set(),
    blobs: blobsOfChart(chart).map(({ digest }) => digest),
  };
}
