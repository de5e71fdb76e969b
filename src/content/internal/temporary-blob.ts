import { type FileHandle, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../shared/atomic-file.ts';
import { diskProblem } from '../disk-problem.ts';
import type { ByteStream } from '../ports.ts';
import { appendToFile } from './blob-file.ts';

/** Makes the file that a blob is gathered in; it must not exist yet. */
export type OpenTemporary = (path: string) => Promise<FileHandle>;

/** A file that gathers a blob under a name nobody reads, until it is published or disposed of. */
export class TemporaryBlob implements AsyncDisposable {
  readonly path: string;
  readonly #file: FileHandle;
  #isOpen = true;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async open(path: string, openFile: OpenTemporary): Promise<TemporaryBlob> {
    try {
      await mkdir(dirname(path), { recursive: true });
      return new TemporaryBlob(path, await openFile(path));
    } catch (error) {
      throw diskProblem(error, path, 0);
    }
  }

  /** See {@link appendToFile}; a full disk is told with `sizeBytes`, the size of the whole. */
  async append(
    bytes: ByteStream,
    sizeBytes: number,
    kept?: (byteCount: number) => void,
  ): Promise<void> {
    try {
      await appendToFile(this.#file, bytes, kept);
    } catch (error) {
      throw diskProblem(error, this.path, sizeBytes);
    }
  }

  /** Gives the bytes their final name so that they survive a power cut: fsync, rename, fsync. */
  async publish(finalPath: string, sizeBytes: number): Promise<void> {
    try {
      // The same mode under every umask, so that the same content makes the same bundle.
      await this.#file.chmod(0o644);
      await this.#file.sync();
      await this.#close();
      const folder = dirname(finalPath);
      await mkdir(folder, { recursive: true });
      await rename(this.path, finalPath);
      await syncFolder(folder);
    } catch (error) {
      throw diskProblem(error, this.path, sizeBytes);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await rm(this.path, { force: true });
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#file.close();
  }
}
