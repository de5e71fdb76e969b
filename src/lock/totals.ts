import type { Lock, LockedBlob } from '../release/lock.ts';
import { blobsOfChart, blobsOfImage } from '../release/locked-blobs.ts';

/** Counts a Lock's artefacts and bytes; `uniqueBytes` counts a blob once, however often it is named. */
export function totalsOf({
  images,
  charts,
  files,
}: Pick<Lock['spec'], 'images' | 'charts' | 'files'>): Lock['spec']['totals'] {
  const perArtefact = [
    ...images.map(blobsOfImage),
    ...charts.map(blobsOfChart),
    ...files.map((file) => [file.blob]),
  ];
  const blobs = perArtefact.flatMap(unique);
  return {
    images: images.length,
    charts: charts.length,
    files: files.length,
    bytes: sumOf(blobs),
    uniqueBytes: sumOf(unique(blobs)),
  };
}

function unique(blobs: readonly LockedBlob[]): LockedBlob[] {
  return [...new Map(blobs.map((blob) => [blob.digest, blob])).values()];
}

function sumOf(blobs: readonly LockedBlob[]): number {
  return blobs.reduce((sum, blob) => sum + blob.size, 0);
}
