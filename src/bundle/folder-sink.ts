import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskProblem } from '../content/disk-problem.ts';
import type { ByteStream } from '../content/ports.ts';
import { syncFolder } from '../shared/atomic-file.ts';
import { type DurableFiles, systemFiles } from '../shared/durable-files.ts';
import { partialMark } from '../shared/partial-mark.ts';
import type { Run } from '../shared/run.ts';
import type { BundledFile } from './bundle-manifest.ts';
import { requireFreeName } from './free-name.ts';
import { keepWholeEntries } from './partial-folder.ts';
import type { BundleSink } from './sink.ts';
import { writeVerified } from './write-verified.ts';

const temporarySuffix = '.tmp';

/**
 * Writes a bundle as a folder: entries into `PATH.partial`, each under a temporary name first, then
 * the folder gets its name. An entry that bears its final name is whole, so no journal is needed.
 * See {@link OpenSink}.
 */
export async function openFolderSink(
  path: string,
  files: readonly BundledFile[],
  run: Run,
  disk: DurableFiles = systemFiles,
): Promise<BundleSink> {
  const partialPath = `${path}.partial`;
  const present = await keepWholeEntries(partialPath, files, run);
  return new FolderSink({ path, partialPath, present, disk });
}

interface OpenFolder {
  readonly path: string;
  readonly partialPath: string;
  readonly present: Set<string>;
  readonly disk: DurableFiles;
}

class FolderSink implements BundleSink {
  readonly partialPath: string;
  readonly #path: string;
  readonly #disk: DurableFiles;
  readonly #present: Set<string>;
  #made: Promise<void> | undefined;

  constructor({ path, partialPath, present, disk }: OpenFolder) {
    this.#path = path;
    this.partialPath = partialPath;
    this.#present = present;
    this.#disk = disk;
  }

  has(file: BundledFile): boolean {
    return this.#present.has(file.path);
  }

  async write(entry: BundledFile, bytes: ByteStream, run: Run): Promise<void> {
    const target = join(this.partialPath, entry.path);
    const temporary = `${target}${temporarySuffix}`;
    try {
      await this.#make();
      await mkdir(dirname(target), { recursive: true });
      const file = await this.#disk.open(temporary, 'w');
      try {
        const flush = () => file.datasync();
        await writeVerified({ file, flush }, entry, bytes, run);
        // Not left to the umask: the same bundle has the same modes everywhere.
        await file.chmod(Number.parseInt(entry.mode, 8));
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#disk.rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw diskProblem(error, target, entry.size);
    }
    // Its folder is synced once, in `publish`: a name that a power cut takes back is fetched again.
    this.#present.add(entry.path);
  }

  async publish(run: Run): Promise<void> {
    await this.#make();
    await rm(join(this.partialPath, partialMark), { force: true });
    const found = await readdir(this.partialPath, { recursive: true, withFileTypes: true });
    const folders = found
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const folder of [...folders, this.partialPath]) {
      run.signal.throwIfAborted();
      await chmod(folder, 0o755);
      await syncFolder(folder, this.#disk);
    }
    await requireFreeName(this.#path);
    await this.#disk.rename(this.partialPath, this.#path);
    await syncFolder(dirname(this.#path), this.#disk);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Makes the folder and marks it as ours, before anything else is in it. */
  #make(): Promise<void> {
    this.#made ??= this.#makeOnce();
    return this.#made;
  }

  async #makeOnce(): Promise<void> {
    await mkdir(this.partialPath, { recursive: true });
    const mark = await this.#disk.open(join(this.partialPath, partialMark), 'a', 0o644);
    try {
      await mark.sync();
    } finally {
      await mark.close();
    }
    await syncFolder(this.partialPath, this.#disk);
  }
}
