import { z } from 'zod';
import { collectBytes } from '../content/byte-streams.ts';
import { type Digest, digestOf } from '../oci/digest.ts';
import { BundleManifest, bundleFormatVersion, bundlePaths } from './bundle-manifest.ts';
import { BundleDamaged, BundleNotABundle, BundleTooNew } from './errors.ts';
import type { BundleFiles } from './read-bundle.ts';

/** Larger than a manifest of a million files; a bound, so that garbage cannot fill the memory. */
const maxWrittenBytes = 512 * 1024 * 1024;

const AnyVersion = z.looseObject({ formatVersion: z.int() });

/**
 * Reads `slipway/bundle.json`, with the digest of its bytes, which stands for all that the bundle holds.
 * Rejects with BUNDLE_TOO_NEW before anything else is judged, then with BUNDLE_NOT_A_BUNDLE.
 */
export async function readIdentified(
  files: BundleFiles,
): Promise<{ readonly manifest: BundleManifest; readonly identity: Digest }> {
  const text = await readWrittenFile(files, bundlePaths.manifest);
  const value = parseJson(files.path, text);
  const version = AnyVersion.safeParse(value);
  if (version.success && version.data.formatVersion > bundleFormatVersion) {
    const { formatVersion: found } = version.data;
    throw new BundleTooNew({ path: files.path, found, known: bundleFormatVersion });
  }
  const manifest = BundleManifest.safeParse(value);
  if (!manifest.success) {
    throw notABundle(files.path, `${bundlePaths.manifest}: ${z.prettifyError(manifest.error)}`);
  }
  return { manifest: manifest.data, identity: digestOf(text) };
}

/** The text of one of the bundle's own files; BUNDLE_NOT_A_BUNDLE if it is missing. */
export async function readWrittenFile(files: BundleFiles, path: string): Promise<string> {
  const size = files.entries.get(path)?.size;
  if (size === undefined) throw notABundle(files.path, `it has no ${path}`);
  if (size > maxWrittenBytes) throw notABundle(files.path, `${path} has ${size} bytes`);
  return Buffer.from(await collectBytes(files.stream(path))).toString('utf8');
}

/** The Lock's exact text, checked against the digest in the manifest (BUNDLE_DAMAGED). */
export async function readLockText(files: BundleFiles, manifest: BundleManifest): Promise<string> {
  const text = await readWrittenFile(files, manifest.lock.path);
  const got = digestOf(text);
  if (got === manifest.lock.digest) return text;
  const problem = `${manifest.lock.path}: changed (${got}, was ${manifest.lock.digest})`;
  throw new BundleDamaged({ path: files.path, problems: [problem] });
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BundleNotABundle(
      { path, why: `${bundlePaths.manifest} is not JSON` },
      { cause: error },
    );
  }
}

function notABundle(path: string, why: string) {
  return new BundleNotABundle({ path, why });
}
