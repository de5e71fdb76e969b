import { z } from 'zod';
import { Digest } from '../oci/digest.ts';
import { compareText } from '../shared/json.ts';

/**
 * `slipway/bundle.json`: every file of a bundle with size, digest and mode, and what the bundle was
 * made from and by. It is the only file that it does not list itself. Readers refuse a
 * `formatVersion` above their own (BUNDLE_TOO_NEW); a change that an old reader would misread raises it.
 */
export const bundleFormatVersion = 1;

/** Whom a bundle is for: anybody, or only the organisation that made it (licence gate, R0-29). */
export const BundlePurpose = z.enum(['redistribution', 'own-use']);
export type BundlePurpose = z.infer<typeof BundlePurpose>;

/** One file of the bundle, by its path from the bundle's root, with `/` on every system. */
export const BundledFile = z.strictObject({
  path: z.string(),
  size: z.int().nonnegative(),
  digest: Digest,
  mode: z.string().regex(/^0[0-7]{3}$/),
});
export type BundledFile = z.infer<typeof BundledFile>;

export const BundleManifest = z.strictObject({
  formatVersion: z.literal(bundleFormatVersion),
  tool: z.strictObject({ name: z.literal('slipway'), version: z.string() }),
  purpose: BundlePurpose,
  release: z.strictObject({ name: z.string(), version: z.string() }),
  lock: z.strictObject({ path: z.string(), digest: Digest }),
  /** The version matrix that the Lock was made with, whole, so that both can be compared (R0-86, R0-108). */
  matrix: z.strictObject({ path: z.string(), version: z.string(), digest: Digest }).optional(),
  /** Sorted by path. */
  files: z.array(BundledFile),
});
export type BundleManifest = z.infer<typeof BundleManifest>;

/** Where the bundle's own files lie; everything else is `blobs/…` and `files/…`. */
export const bundlePaths = {
  layout: 'oci-layout',
  index: 'index.json',
  manifest: 'slipway/bundle.json',
  lock: 'slipway/lock.yaml',
  matrix: 'slipway/matrix.yaml',
} as const;

/**
 * Files in the order of a `.tar`: `slipway/bundle.json`, the other files that Slipway writes, plain files, blobs
 * by digest; so a reader of a stream knows what comes before it comes.
 */
export function archiveOrder<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return files.toSorted((a, b) => rankOf(a.path) - rankOf(b.path) || compareText(a.path, b.path));
}

function rankOf(path: string): number {
  if (path === bundlePaths.manifest) return 0;
  if (path.startsWith('blobs/')) return 3;
  return path.startsWith('files/') ? 2 : 1;
}
