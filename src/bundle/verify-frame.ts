/** What a bundle has beside its files: folders, and in a `.tar` headers, padding, order and end. */
import { encodeHeader } from '../shared/tar-header.ts';
import {
  archiveOrder,
  type BundledFile,
  type BundleManifest,
  bundlePaths,
} from './bundle-manifest.ts';
import { foldersOf } from './folders-of.ts';
import type { ArchiveFrame, BundleFiles } from './read-bundle.ts';
import type { BundleDifference } from './verify-bundle.ts';

/**
 * Names what differs from what would be written for the files of `manifest`. Files that are missing, longer
 * or others are not looked at here.
 */
export async function frameDifferences(
  files: BundleFiles,
  manifest: BundleManifest,
): Promise<BundleDifference[]> {
  const { archive } = files;
  const differences = strangeFolders(files, manifest);
  if (archive === undefined) return differences;
  const present = filesOf(files, manifest).filter(
    ({ path, size }) => files.entries.get(path)?.size === size,
  );
  const found: BundleDifference[] = [];
  for (const file of present) found.push(...(await strangeSurroundings(archive, file)));
  const isRepacked = present.length > 1 && found.length >= present.length;
  return [
    ...differences,
    ...(isRepacked ? [repacked(files.path)] : found),
    ...strangeEnd(files.path, archive),
  ];
}

/** The order of an archive whose every entry is as it was made. */
export function strangePlace(files: BundleFiles, manifest: BundleManifest): BundleDifference[] {
  if (files.archive === undefined) return [];
  const made = filesOf(files, manifest).map(({ path }) => path);
  const isSame = [...files.entries.keys()].every((path, at) => path === made[at]);
  if (isSame) return [];
  const detail = 'its files lie in another order than they were made in';
  return [{ path: files.path, kind: 'changed', detail }];
}

/** All files in the order of an archive, with the manifest that cannot list itself. */
function filesOf(files: BundleFiles, manifest: BundleManifest) {
  const size = files.entries.get(bundlePaths.manifest)?.size ?? 0;
  return archiveOrder([{ path: bundlePaths.manifest, size, mode: '0644' }, ...manifest.files]);
}

/** In a folder every folder leads to a file; in our archives folders have no entries at all. */
function strangeFolders(files: BundleFiles, manifest: BundleManifest): BundleDifference[] {
  const paths = [bundlePaths.manifest, ...manifest.files.map(({ path }) => path)];
  const known = new Set(files.archive === undefined ? paths.flatMap(foldersOf) : []);
  return files.folders
    .filter((folder) => !known.has(folder))
    .map((folder) => ({
      path: `${folder}/`,
      kind: 'added',
      detail: 'this folder does not belong here',
    }));
}

async function strangeSurroundings(
  archive: ArchiveFrame,
  file: Pick<BundledFile, 'path' | 'size' | 'mode'>,
): Promise<BundleDifference[]> {
  const { path } = file;
  const { headers, padding } = await archive.around(path);
  if (!headers.equals(encodeHeader(file))) {
    return [
      { path, kind: 'changed', detail: 'its header in the archive is another than was made' },
    ];
  }
  if (padding.some((byte) => byte !== 0)) {
    return [{ path, kind: 'added', detail: 'something stands between it and the next file' }];
  }
  return [];
}

function repacked(path: string): BundleDifference {
  const detail = 'another program packed it; unpack it and verify the folder';
  return { path, kind: 'changed', detail };
}

function strangeEnd(path: string, { end }: ArchiveFrame): BundleDifference[] {
  if (end.kind === 'unmarked') {
    return [{ path, kind: 'truncated', detail: 'the archive has no end mark' }];
  }
  if (end.kind === 'trailing') {
    const detail = `bytes follow the end of the archive, from byte ${end.offset}`;
    return [{ path, kind: 'added', detail }];
  }
  return [];
}
