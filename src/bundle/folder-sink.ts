import { createReadStream, type Dirent } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { chunkBytes } from '../content/byte-streams.ts';
import { diskProblem } from '../content/disk-problem.ts';
import type { ByteStream } from '../content/ports.ts';
import { digester, splitDigest } from '../oci/digest.ts';
import { syncFolder } from '../shared/atomic-file.ts';
import type { Run } from '../shared/run.ts';
import type { BundledFile } from './bundle-manifest.ts';
import { BundleExists } from './errors.ts';
import { type BundleSink, writeVerified } from './sink.ts';

const temporarySuffix = '.tmp';

/**
 * Writes a bundle as a folder: entries into `PATH.partial`, each under a temporary name first, then
 * the folder gets its name. An entry that bears its final name is whole, so no journal is needed.
 */
export async function openFolderSink(
  path: string,
  files: readonly BundledFile[],
): Promise<BundleSink> {
  const partialPath = `${path}.partial`;
  // What is there is cleaned up; through a link that would be somebody else's folder.
  const found = await lstat(partialPath).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw new BundleExists({ path: partialPath });
  await mkdir(partialPath, { recursive: true });
  const present = await removeStrays(partialPath, files);
  return new FolderSink(path, partialPath, present);
}

class FolderSink implements BundleSink {
  readonly partialPath: string;
  readonly #path: string;
  readonly #present: Set<string>;

  constructor(path: string, partialPath: string, present: Set<string>) {
    this.#path = path;
    this.partialPath = partialPath;
    this.#present = present;
  }

  has(file: BundledFile): boolean {
    return this.#present.has(file.path);
  }

  async write(entry: BundledFile, bytes: ByteStream, run: Run): Promise<void> {
    const target = join(this.partialPath, entry.path);
    const temporary = `${target}${temporarySuffix}`;
    try {
      await mkdir(dirname(target), { recursive: true });
      const file = await open(temporary, 'w');
      try {
        await writeVerified({ file, offset: 0 }, entry, bytes, run);
        // Not left to the umask: the same bundle has the same modes everywhere.
        await file.chmod(Number.parseInt(entry.mode, 8));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw diskProblem(error, target, entry.size);
    }
    await syncFolder(dirname(target));
    this.#present.add(entry.path);
  }

  async publish(): Promise<void> {
    for (const entry of await readdir(this.partialPath, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
    }
    await chmod(this.partialPath, 0o755);
    await syncFolder(this.partialPath);
    await rename(this.partialPath, this.#path);
    await syncFolder(dirname(this.#path));
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Keeps the whole entries of an earlier run and removes everything else: other blobs, torn writes. */
async function removeStrays(folder: string, files: readonly BundledFile[]): Promise<Set<string>> {
  const wanted = new Map(files.map((file) => [file.path, file]));
  const present = new Set<string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => !found.isDirectory())) {
    const found = join(entry.parentPath, entry.name);
    const want = wanted.get(relative(folder, found).split(sep).join('/'));
    if (want !== undefined && (await isWhole(found, want))) present.add(want.path);
    else await rm(found);
  }
  await removeEmptyFolders(entries.filter((found) => found.isDirectory()));
  return present;
}

/** A blob's name says what is in it, so its size is enough; any other entry is read again. */
async function isWhole(found: string, want: BundledFile): Promise<boolean> {
  if ((await stat(found)).size !== want.size) return false;
  if (want.path.startsWith('blobs/')) return true;
  const hash = digester(splitDigest(want.digest).algorithm);
  for await (const chunk of createReadStream(found, { highWaterMark: chunkBytes })) {
    hash.update(chunk as Buffer); // a stream without an encoding gives buffers
  }
  return hash.digest() === want.digest;
}

async function removeEmptyFolders(folders: readonly Dirent[]): Promise<void> {
  const paths = folders.map((folder) => join(folder.parentPath, folder.name));
  // The deepest first, so that a folder of empty folders goes too.
  for (const path of paths.sort((a, b) => b.length - a.length)) {
    if ((await readdir(path)).length === 0) await rmdir(path);
  }
}
