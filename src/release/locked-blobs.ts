import type { LockedBlob, LockedChart, LockedImage } from './lock.ts';

/**
 * The blobs that have to be present for an image: its index or indexes, and manifest, config and
 * layers of each platform. Foreign layers are not among them. One blob may come several times.
 */
export function blobsOfImage(image: LockedImage): LockedBlob[] {
  return [
    image.target,
    ...(image.indexes ?? []),
    ...image.platforms.flatMap(({ manifest, config, layers }) => [manifest, config, ...layers]),
  ];
}

/** The blobs of a chart: manifest, config, archive and provenance. */
export function blobsOfChart(chart: LockedChart): LockedBlob[] {
  return [chart.manifest, chart.config, ...chart.layers];
}
