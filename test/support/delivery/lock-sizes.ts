import type { Lock, LockedBlob } from '../../../src/release/lock.ts';

/** The size in bytes of every blob and manifest that a Lock names, by digest. */
export function sizesOf(lock: Lock): ReadonlyMap<string, number> {
  const images = lock.spec.images.flatMap(({ target, indexes = [], platforms }) => [
    target,
    ...indexes,
    ...platforms.flatMap(({ manifest, config, layers }) => [manifest, config, ...layers]),
  ]);
  const charts = lock.spec.charts.flatMap(({ manifest, config, layers }) => [
    manifest,
    config,
    ...layers,
  ]);
  return new Map([...images, ...charts].map(({ digest, size }: LockedBlob) => [digest, size]));
}

/** Bytes of blobs and manifests together, each counted once. */
export function uniqueBytes(sizes: ReadonlyMap<string, number>): number {
  return sizes.values().reduce((sum, size) => sum + size, 0);
}
