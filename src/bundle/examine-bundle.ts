import type { Digest } from '../oci/digest.ts';
import type { Run } from '../shared/run.ts';
import type { BundleManifest } from './bundle-manifest.ts';
import { readParts } from './open-bundle.ts';
import type { BundleFiles } from './read-bundle.ts';
import { readIdentified } from './read-manifest.ts';
import { type BundleDifference, verifyBundle } from './verify-bundle.ts';

/** What is to be said about a bundle; without differences it is whole and can be used. */
export interface Examination {
  readonly manifest: BundleManifest;
  /** Digest of `bundle.json`: what tells this bundle from another whole one. */
  readonly identity: Digest;
  readonly differences: readonly BundleDifference[];
}

/**
 * Reads every byte of a bundle; only a whole one is also asked whether its parts belong together.
 * Rejects with the codes of {@link readIdentified} and {@link readParts}.
 */
export async function examineBundle(files: BundleFiles, run: Run): Promise<Examination> {
  const { manifest, identity } = await readIdentified(files);
  const differences = await verifyBundle(files, manifest, run);
  if (differences.length === 0) await readParts(files);
  return { manifest, identity, differences };
}
