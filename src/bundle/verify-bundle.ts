import { BlobDigestMismatch } from '../content/errors.ts';
import { verifying } from '../content/verifying.ts';
import { settleBounded } from '../shared/bounded.ts';
import { describeError } from '../shared/errors.ts';
import { compareText } from '../shared/json.ts';
import type { Run } from '../shared/run.ts';
import { type BundledFile, type BundleManifest, bundlePaths } from './bundle-manifest.ts';
import type { BundleFiles, FoundEntry } from './read-bundle.ts';
import { frameDifferences, strangePlace } from './verify-frame.ts';

/** How a file of a bundle differs from what was made. */
export interface BundleDifference {
  readonly path: string;
  readonly kind: 'missing' | 'changed' | 'truncated' | 'added';
  /** One sentence with sizes or digests. */
  readonly detail: string;
}

/** Hashing is bound by one core and the disk; a second reader keeps both busy. */
const parallelFiles = 2;

/**
 * Reads every byte of a bundle and names every change, truncation and addition, sorted by path.
 * An empty list: the bundle is what it was when it was made. Of a `.tar` every byte is compared with
 * what would be written for its files, headers and padding too.
 *
 * `bundle.json` lists everything but itself; a change in it shows as differences of what it lists, or in
 * its identity.
 */
export async function verifyBundle(
  files: BundleFiles,
  manifest: BundleManifest,
  run: Run,
): Promise<BundleDifference[]> {
  const total = manifest.files.reduce((sum, file) => sum + file.size, 0);
  run.expect({ bytes: total, items: manifest.files.length });
  const outcomes = await settleBounded(
    manifest.files,
    parallelFiles,
    (file) => checkFile(files, file, run),
    run.signal,
  );
  run.signal.throwIfAborted();
  const checked = outcomes.map((outcome, index) =>
    outcome.ok ? outcome.value : unreadable(manifest.files[index]?.path ?? '?', outcome.error),
  );
  const differences = [
    ...checked.flatMap((found) => found ?? []),
    ...additions(files, manifest),
    ...(await frameDifferences(files, manifest)),
  ].sort((a, b) => compareText(a.path, b.path));
  return differences.length > 0 ? differences : strangePlace(files, manifest);
}

async function checkFile(
  files: BundleFiles,
  file: BundledFile,
  run: Run,
): Promise<BundleDifference | undefined> {
  const found = files.entries.get(file.path);
  if (found === undefined) return { path: file.path, kind: 'missing', detail: 'it is not there' };
  const shape = shapeDifference(files, file, found);
  if (shape !== undefined) return shape;
  const origin = { side: 'source', label: file.path } as const;
  for await (const chunk of verifying(file, origin)(files.stream(file.path))) {
    run.signal.throwIfAborted();
    run.advance({ bytes: chunk.length });
  }
  run.advance({ items: 1 });
  return undefined;
}

/** What can be told without reading the file. */
function shapeDifference(
  files: BundleFiles,
  { path, size, mode }: BundledFile,
  found: FoundEntry,
): BundleDifference | undefined {
  const end = files.archive?.end;
  if (end?.kind === 'inside' && end.path === path) {
    return { path, kind: 'truncated', detail: 'the archive ends inside it' };
  }
  if (found.size !== size) {
    const kind = found.size < size ? 'truncated' : 'changed';
    return { path, kind, detail: `it has ${found.size} bytes and was made with ${size}` };
  }
  // Only the modes of plain files mean something: a program must stay a program.
  if (path.startsWith('files/') && found.mode !== Number.parseInt(mode, 8)) {
    const is = found.mode.toString(8).padStart(4, '0');
    return { path, kind: 'changed', detail: `its mode is ${is} and was made ${mode}` };
  }
  return undefined;
}

function unreadable(path: string, error: unknown): BundleDifference {
  const detail =
    error instanceof BlobDigestMismatch
      ? 'its bytes are others than were made'
      : describeError(error);
  return { path, kind: 'changed', detail };
}

function additions(files: BundleFiles, manifest: BundleManifest): BundleDifference[] {
  const known = new Set(manifest.files.map((file) => file.path)).add(bundlePaths.manifest);
  return [...files.entries]
    .filter(([path]) => !known.has(path))
    .map(([path, { size }]) => ({
      path,
      kind: 'added',
      detail: `it has ${size} bytes and does not belong here`,
    }));
}
