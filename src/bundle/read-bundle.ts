import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { chunkBytes } from '../content/byte-streams.ts';
import { BlobNotFound } from '../content/errors.ts';
import type { BlobFinder, BlobReader, ByteStream } from '../content/ports.ts';
import type { BlobRef } from '../oci/descriptor.ts';
import type { Digest } from '../oci/digest.ts';
import { systemCode } from '../shared/errors.ts';
import type { Run } from '../shared/run.ts';
import { blobPath } from './contents.ts';
import { BundleIncomplete, BundleNotFound, BundlePathUnsafe } from './errors.ts';
import { refuseUnsafePath } from './safe-path.ts';
import { indexTar, readAt, type TarEnd } from './tar-index.ts';

/** A file as it lies there: its size in bytes and its permission bits. */
export interface FoundEntry {
  readonly size: number;
  readonly mode: number;
}

/** The files of a bundle, wherever they lie: a folder, or one `.tar` that is read in place. */
export interface BundleFiles extends AsyncDisposable {
  readonly path: string;
  /** Everything that is there by path, listed or not. */
  readonly entries: ReadonlyMap<string, FoundEntry>;
  /** How a `.tar` ends, for verify; folders have no end. */
  readonly tarEnd: TarEnd | undefined;
  /** Rejects with BLOB_NOT_FOUND style errors only for paths that `entries` lacks. */
  stream(path: string, fromByte?: number): ByteStream;
}

/**
 * Opens a bundle folder or `.tar` without reading its content.
 * Rejects with BUNDLE_NOT_FOUND, BUNDLE_INCOMPLETE, BUNDLE_NOT_A_BUNDLE or BUNDLE_PATH_UNSAFE.
 */
export async function openBundleFiles(path: string): Promise<BundleFiles> {
  const kind = await kindOf(path);
  const files = kind === 'folder' ? await openFolder(path) : await openTar(path);
  try {
    for (const entry of files.entries.keys()) refuseUnsafePath(path, entry);
    return files;
  } catch (error) {
    await files[Symbol.asyncDispose]();
    throw error;
  }
}

/** The blobs of a bundle by digest, for everything that reads from a content store. */
export function bundleBlobs(files: BundleFiles): BlobReader & BlobFinder {
  return {
    async open(blob: BlobRef, _run: Run, fromByte = 0): Promise<ByteStream> {
      const path = blobPath(blob.digest);
      if (!files.entries.has(path)) {
        throw new BlobNotFound({ side: 'source', label: files.path, digest: blob.digest });
      }
      return files.stream(path, fromByte);
    },
    async find(digest: Digest): Promise<number | undefined> {
      return files.entries.get(blobPath(digest))?.size;
    },
  };
}

async function kindOf(path: string): Promise<'folder' | 'tar'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'tar';
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

async function openFolder(path: string): Promise<BundleFiles> {
  const entries = new Map<string, FoundEntry>();
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const found = join(entry.parentPath, entry.name);
    const name = relative(path, found).split(sep).join('/');
    // A link could lead anywhere, and a device has no end: a bundle has only files.
    if (!entry.isFile()) throw new BundlePathUnsafe({ path, entry: name });
    const { size, mode } = await stat(found);
    entries.set(name, { size, mode: mode & 0o7777 });
  }
  return {
    path,
    entries,
    tarEnd: undefined,
    stream: (name, fromByte = 0) =>
      createReadStream(join(path, name), { start: fromByte, highWaterMark: chunkBytes }),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function openTar(path: string): Promise<BundleFiles> {
  const file = await open(path, 'r');
  try {
    const { entries, end } = await indexTar(file, path);
    return {
      path,
      entries,
      tarEnd: end,
      stream: (name, fromByte = 0) => {
        const entry = entries.get(name) ?? { offset: 0, size: 0 };
        return readRange(file, entry.offset + fromByte, entry.size - fromByte);
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* readRange(file: FileHandle, offset: number, length: number) {
  for (let done = 0; done < length; ) {
    const chunk = await readAt(file, offset + done, Math.min(chunkBytes, length - done));
    if (chunk.length === 0) return;
    done += chunk.length;
    yield chunk;
  }
}
