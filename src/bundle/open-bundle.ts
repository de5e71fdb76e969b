import type { BlobFinder, BlobReader } from '../content/ports.ts';
import type { Digest } from '../oci/digest.ts';
import type { Lock } from '../release/lock.ts';
import { readLock } from '../release/lock-document.ts';
import type { Run } from '../shared/run.ts';
import { type BundleManifest, bundlePaths } from './bundle-manifest.ts';
import { bundleContents } from './contents.ts';
import { BundleMismatch } from './errors.ts';
import { matrixFault } from './matrix-fault.ts';
import { notForOthers } from './purpose.ts';
import { type BundleFiles, bundleBlobs, openBundleFiles } from './read-bundle.ts';
import { readIdentified, readLockText, readWrittenFile } from './read-manifest.ts';

/** A bundle that can be used: its parts belong together. Its blobs are not verified yet. */
export interface OpenBundle extends AsyncDisposable {
  readonly path: string;
  readonly files: BundleFiles;
  readonly manifest: BundleManifest;
  readonly lock: Lock;
  readonly blobs: BlobReader & BlobFinder;
}

/**
 * Opens a bundle folder or `.tar` for loading, serving or inspecting, without reading its blobs; stops when
 * the run is aborted.
 *
 * Rejects with the codes of {@link openBundleFiles} and {@link readIdentified}, and with BUNDLE_MISMATCH
 * if Lock, version matrix and list of files are not those of one plan (R0-86, R0-108).
 */
export async function openBundle(path: string, run: Run): Promise<OpenBundle> {
  const files = await openBundleFiles(path, run);
  try {
    const { manifest, lock } = await readParts(files);
    run.signal.throwIfAborted();
    return {
      path,
      files,
      manifest,
      lock,
      blobs: bundleBlobs(files),
      [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
    };
  } catch (error) {
    await files[Symbol.asyncDispose]();
    throw error;
  }
}

/** What a bundle says about itself, checked against each other as {@link openBundle} does. */
export async function readParts(
  files: BundleFiles,
): Promise<{ readonly manifest: BundleManifest; readonly lock: Lock }> {
  const { path } = files;
  const { manifest, identity } = await readIdentified(files);
  const lockText = await readLockText(files, manifest);
  const lock = readLock(lockText, `${path}/${bundlePaths.lock}`);
  const matrixText =
    manifest.matrix === undefined ? undefined : await readWrittenFile(files, bundlePaths.matrix);
  refuseStrangers(path, manifest, { identity, lock, lockText, matrixText });
  return { manifest, lock };
}

interface BundleParts {
  readonly identity: Digest;
  readonly lock: Lock;
  readonly lockText: string;
  readonly matrixText: string | undefined;
}

/** What a bundle holds follows from its Lock and matrix alone, so it can be computed and compared. */
function refuseStrangers(path: string, manifest: BundleManifest, parts: BundleParts): void {
  const why =
    purposeFault(manifest, parts) ??
    matrixFault(parts.lock, parts.matrixText) ??
    listFault(manifest, parts);
  if (why !== undefined) throw new BundleMismatch({ path, why });
}

/** A bundle for others cannot hold what may not be given to others, whatever its manifest claims. */
function purposeFault({ purpose }: BundleManifest, { lock }: BundleParts): string | undefined {
  const kept = purpose === 'redistribution' ? notForOthers(lock) : [];
  return kept.length === 0
    ? undefined
    : `bundle.json says that it may be given to others, the Lock forbids it for ${kept.map(({ name }) => name).join(', ')}`;
}

function listFault(
  manifest: BundleManifest,
  { identity, lock, lockText, matrixText }: BundleParts,
): string | undefined {
  const { manifest: expected, identity: made } = bundleContents({
    lock,
    lockText,
    ...(matrixText !== undefined && { matrixText }),
    purpose: manifest.purpose,
    toolVersion: manifest.tool.version,
  });
  const key = (file: BundleManifest['files'][number]) =>
    `${file.path} ${file.size} ${file.digest} ${file.mode}`;
  const listed = new Set(manifest.files.map(key));
  const lacking = expected.files.find((file) => !listed.has(key(file)));
  if (lacking !== undefined)
    return `the Lock needs ${lacking.path} as bundle.json does not list it`;
  if (listed.size !== expected.files.length)
    return 'bundle.json lists files that the Lock does not need';
  const { name, version } = lock.metadata;
  const isSame = manifest.release.name === name && manifest.release.version === version;
  if (!isSame) return `the Lock is of ${name} ${version}`;
  return identity === made ? undefined : 'bundle.json is not written as slipway writes it';
}
