import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { renameWhole } from '../../shared/atomic-file.ts';
import { type DurableFiles, systemFiles } from '../../shared/durable-files.ts';
import { DurableFolders } from '../../shared/durable-folders.ts';
import { systemCode } from '../../shared/errors.ts';
import { KeyedLock } from '../../shared/slots.ts';

/**
 * The small files of a catalogue: each is written whole or not at all, and once a call has resolved,
 * what it did survives a power cut. What is absent is undefined or false, never an error.
 *
 * `temporaryFolder` is on the same file system and holds nothing else.
 */
export class CatalogueFiles {
  readonly #temporaryFolder: string;
  readonly #files: DurableFiles;
  readonly #folders: DurableFolders;
  readonly #serial = new KeyedLock();

  constructor(temporaryFolder: string, files: DurableFiles = systemFiles) {
    this.#temporaryFolder = temporaryFolder;
    this.#files = files;
    this.#folders = new DurableFolders(files);
  }

  /** Does `work` after what was asked for the same path before: reads in line see the latest write. */
  inLine<T>(path: string, work: () => Promise<T>): Promise<T> {
    return this.#serial.run(path, work);
  }

  async write(path: string, content: string): Promise<void> {
    const folder = dirname(path);
    await this.#folders.make(folder);
    const temporaryFolder = this.#temporaryFolder;
    await renameWhole({ path, content, temporaryFolder }, this.#files);
    await this.#folders.sync(folder);
  }

  /** Makes an empty file, which has no halves, so it needs neither another name nor its own fsync. */
  async mark(path: string): Promise<void> {
    const folder = dirname(path);
    await this.#folders.make(folder);
    const file = await this.#files.open(path, 'a', 0o644);
    await file.close();
    await this.#folders.sync(folder);
  }

  /** True if it was there. */
  async remove(path: string): Promise<boolean> {
    if ((await orAbsent(rm(path).then(() => true))) === undefined) return false;
    await orAbsent(this.#folders.sync(dirname(path)));
    return true;
  }

  text(path: string): Promise<string | undefined> {
    return orAbsent(readFile(path, 'utf8'));
  }

  async isFile(path: string): Promise<boolean> {
    return (await orAbsent(stat(path)))?.isFile() ?? false;
  }

  /** In no order. */
  namesIn(folder: string): Promise<readonly string[] | undefined> {
    return orAbsent(readdir(folder));
  }

  /** Removes what a killed process was writing; only for whoever holds the store's lock. */
  async tidy(): Promise<void> {
    await rm(this.#temporaryFolder, { recursive: true, force: true });
  }
}

const absent: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (absent.has(systemCode(error))) return undefined;
    throw error;
  }
}
