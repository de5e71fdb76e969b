import type { Digest } from '../oci/digest.ts';
import type { Lock, LockedChart, LockedImage } from '../release/lock.ts';
import { blobsOfChart, blobsOfImage } from '../release/locked-blobs.ts';
import { publishableChart, publishableImage } from '../release/publishable-artefacts.ts';
import type { PublishableImage } from '../site/published-names.ts';

/** An image or chart of a Lock with what naming and copying need. */
export interface BundleItem extends PublishableImage {
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
    ...publishableImage(image),
    name: image.name,
    manifests: new Set(manifests),
    blobs: blobsOfImage(image).map(({ digest }) => digest),
  };
}

function chartItem(chart: LockedChart): BundleItem {
  return {
    ...publishableChart(chart),
    name: chart.name,
    manifests: new Set(),
    blobs: blobsOfChart(chart).map(({ digest }) => digest),
  };
}
