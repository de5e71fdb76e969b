import { lstat, readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BlobNotFound } from '../content/errors.ts';
import { openRegularFile } from '../content/open-regular-file.ts';
import type { BlobFinder, BlobReader, ByteStream } from '../content/ports.ts';
import type { BlobRef } from '../oci/descriptor.ts';
import type { Digest } from '../oci/digest.ts';
import { systemCode } from '../shared/errors.ts';
import { partialMark } from '../shared/partial-mark.ts';
import type { Run } from '../shared/run.ts';
import { paddedSize } from '../shared/tar-header.ts';
import {
  type ArchiveReader,
  archiveReader,
  openArchiveFile,
  readPart,
  type StreamOptions,
} from './archive-reader.ts';
import { bundlePaths } from './bundle-manifest.ts';
import { blobPath } from './contents.ts';
import {
  BundleDamaged,
  BundleIncomplete,
  BundleNotABundle,
  BundleNotFound,
  BundlePathUnsafe,
} from './errors.ts';
import { journalOf } from './partial-archive.ts';
import { refuseUnsafePath } from './safe-path.ts';
import { indexTar, type TarEnd, type TarIndex } from './tar-index.ts';

/** No entry of ours has longer headers. */
const maxHeaderBytes = 64 * 1024;

/** How other programs name the folder that they packed. */
const rootFolder = '.';

/** A file as it lies there: its size in bytes and its permission bits. */
export interface FoundEntry {
  readonly size: number;
  readonly mode: number;
}

/** The files of a bundle, wherever they lie: a folder, or one `.tar` that is read in place. */
export interface BundleFiles extends AsyncDisposable {
  readonly path: string;
  /** Everything that is there by path, listed or not; of a `.tar` in its order. */
  readonly entries: ReadonlyMap<string, FoundEntry>;
  /** Paths of folders; in a `.tar` those that have an entry of their own. */
  readonly folders: readonly string[];
  /** What stands around the files of a `.tar`, for verify. */
  readonly archive: ArchiveFrame | undefined;
  /**
   * The bytes of one of `entries`, one chunk at a time and none read ahead: a reader that stands still
   * costs one chunk. Nothing is open before the first is asked for.
   */
  stream(path: string, options?: StreamOptions): ByteStream;
}

/** The bytes of an archive that are no file's. */
export interface ArchiveFrame {
  readonly end: TarEnd;
  /** All headers of this file, at most 64 KiB of them, and what pads it up to the next block. */
  around(path: string): Promise<{ readonly headers: Buffer; readonly padding: Buffer }>;
}

/**
 * Opens a bundle folder or `.tar` without reading its content; stops when the run is aborted.
 * Rejects with BUNDLE_NOT_FOUND, BUNDLE_INCOMPLETE, BUNDLE_NOT_A_BUNDLE or BUNDLE_PATH_UNSAFE.
 */
export async function openBundleFiles(path: string, run: Run): Promise<BundleFiles> {
  const kind = await kindOf(path);
  if (kind === 'folder') return openFolder(path, run);
  await refuseUnfinished(path, journalOf(path));
  return openArchive(path, await openArchiveFile(path), run);
}

/** What is still being made bears a mark, under whatever name it is given. */
async function refuseUnfinished(path: string, mark: string): Promise<void> {
  if (!(await exists(mark))) return;
  throw new BundleIncomplete({ path: path.replace(/\.partial$/, ''), partial: path });
}

/** The blobs of a bundle by digest, for everything that reads from a content store. */
export function bundleBlobs(files: BundleFiles): BlobReader & BlobFinder {
  return {
    async open(blob: BlobRef, run: Run, fromByte = 0, options = {}): Promise<ByteStream> {
      run.signal.throwIfAborted();
      const path = blobPath(blob.digest);
      if (!files.entries.has(path)) {
        throw new BlobNotFound({ side: 'source', label: files.path, digest: blob.digest });
      }
      return files.stream(path, { ...options, fromByte });
    },
    async find(digest: Digest): Promise<number | undefined> {
      return files.entries.get(blobPath(digest))?.size;
    },
  };
}

async function kindOf(path: string): Promise<'folder' | 'tar'> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'folder';
    // To open a pipe could wait for ever.
    if (!found.isFile()) throw new BundleNotABundle({ path, why: 'it is neither file nor folder' });
    return 'tar';
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    const partial = `${path}.partial`;
    if (await exists(partial)) throw new BundleIncomplete({ path, partial });
    throw new BundleNotFound({ path }, { cause: error });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

async function openFolder(path: string, run: Run): Promise<BundleFiles> {
  await refuseUnfinished(path, join(path, partialMark));
  // A folder that is no bundle may be the root of a whole disk: nothing of it is to be walked.
  if (!(await exists(join(path, bundlePaths.manifest)))) {
    throw new BundleNotABundle({ path, why: `it has no ${bundlePaths.manifest}` });
  }
  const entries = new Map<string, FoundEntry>();
  const folders: string[] = [];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    run.signal.throwIfAborted();
    const found = join(entry.parentPath, entry.name);
    const name = relative(path, found).split(sep).join('/');
    if (entry.isDirectory()) {
      folders.push(name);
      continue;
    }
    // A link could lead anywhere, and a device has no end: a bundle has only files.
    if (!entry.isFile()) throw new BundlePathUnsafe({ path, entry: name });
    const { size, mode } = await lstat(found);
    entries.set(name, { size, mode: mode & 0o7777 });
    run.advance({ items: 1 });
  }
  return {
    path,
    entries,
    folders,
    archive: undefined,
    stream: (name, options) => readFile(path, name, entries.get(name)?.size ?? 0, options),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The files of an archive, which is closed with them, also when they cannot be read. */
export async function openArchive(
  path: string,
  archive: ArchiveReader,
  run: Run,
): Promise<BundleFiles> {
  try {
    const index = await indexTar(archive, path, run);
    // Other programs end the names of folders with a slash.
    const folders = index.folders.map((folder) => folder.replace(/\/$/, '') || rootFolder);
    const files = {
      path,
      entries: index.entries,
      folders,
      archive: frameOf(archive, index),
      stream: (name: string, options?: StreamOptions) =>
        readPart(archive, index.entries.get(name) ?? { offset: 0, size: 0 }, options),
      [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
    };
    refuseUnsafePaths(files);
    return files;
  } catch (error) {
    await archive[Symbol.asyncDispose]();
    throw error;
  }
}

function refuseUnsafePaths({ path, entries, folders }: BundleFiles): void {
  for (const entry of entries.keys()) refuseUnsafePath(path, entry);
  for (const folder of folders) if (folder !== rootFolder) refuseUnsafePath(path, folder);
}

function frameOf(archive: ArchiveReader, { entries, end }: TarIndex): ArchiveFrame {
  return {
    end,
    async around(name) {
      const entry = entries.get(name) ?? { headerAt: 0, offset: 0, size: 0 };
      const { headerAt, offset, size } = entry;
      const headers = await archive.read(headerAt, Math.min(offset - headerAt, maxHeaderBytes));
      const padding = await archive.read(offset + size, paddedSize(size) - size);
      return { headers, padding };
    },
  };
}

/** What was looked at when the bundle was opened may be another file, or none, by now. */
async function* readFile(root: string, name: string, size: number, options?: StreamOptions) {
  const opened = await openRegularFile(join(root, name));
  if (opened === undefined) throw changed(root, `${name}: it is no file any more`);
  await using archive = archiveReader(opened);
  if (archive.size !== size) {
    throw changed(root, `${name}: it has ${archive.size} bytes, and had ${size}`);
  }
  yield* readPart(archive, { offset: 0, size }, options);
}

function changed(path: string, problem: string) {
  return new BundleDamaged({ path, problems: [problem] });
}
