import { type FileHandle, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskProblem } from '../disk-problem.ts';
import type { ByteStream } from '../ports.ts';
import { appendToFile } from './blob-file.ts';
import type { Publisher } from './publisher.ts';

/** After so many bytes the disk begins to write them, while the next ones still come in. */
const writeBackBytes = 8 * 1024 * 1024;

/**
 * A file that gathers a blob under a name nobody reads, until it is published or disposed of. It is made
 * with the first bytes, so that thousands of uploads which were only announced cost nothing on the disk.
 */
export class TemporaryBlob implements AsyncDisposable {
  readonly path: string;
  readonly #publisher: Publisher;
  #file: Promise<FileHandle> | undefined;
  #isMade = false;
  #unsyncedBytes = 0;
  #writingBack: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(path: string, publisher: Publisher) {
    this.path = path;
    this.#publisher = publisher;
  }

  /** See {@link appendToFile}; a full disk is told with `sizeBytes`, the size of the whole. */
  async append(
    bytes: ByteStream,
    sizeBytes: number,
    kept: (byteCount: number) => void = () => {},
  ): Promise<void> {
    try {
      // Reading begins before the file is there: what a broken connection still holds is gone soon.
      const writev = async (chunks: readonly Uint8Array[]) => (await this.#open()).writev(chunks);
      await appendToFile({ writev }, bytes, (byteCount) => {
        kept(byteCount);
        this.#writeBack(byteCount);
      });
    } catch (error) {
      throw diskProblem(error, this.path, sizeBytes);
    }
  }

  /** Gives the bytes their final name so that they survive a power cut: fsync, rename, fsync. */
  async publish(finalPath: string, sizeBytes: number): Promise<void> {
    try {
      // The same mode under every umask, so that the same content makes the same bundle.
      const file = await this.#open();
      await file.chmod(0o644);
      await this.#sync(file);
      await this.#close();
      await this.#publisher.publish(this.path, finalPath);
      this.#isMade = false;
    } catch (error) {
      throw diskProblem(error, this.path, sizeBytes);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writingBack;
    await this.#close();
    if (this.#isMade) await rm(this.path, { force: true });
  }

  /** Begins to write what is new, unless the disk is busy with that already. */
  #writeBack(byteCount: number): void {
    this.#unsyncedBytes += byteCount;
    if (this.#unsyncedBytes < writeBackBytes || this.#writingBack !== undefined) return;
    this.#unsyncedBytes = 0;
    const flushed = this.#open().then((file) => this.#publisher.flush(file, 'datasync'));
    this.#writingBack = flushed.then(
      () => {
        this.#writingBack = undefined;
      },
      (error: unknown) => {
        // The kernel tells of lost bytes once only: a later fsync would succeed.
        this.#failure = { error };
      },
    );
  }

  async #sync(file: FileHandle): Promise<void> {
    await this.#writingBack;
    if (this.#failure !== undefined) throw this.#failure.error;
    await this.#publisher.flush(file, 'sync');
  }

  #open(): Promise<FileHandle> {
    this.#file ??= this.#create();
    return this.#file;
  }

  async #create(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true });
    const file = await this.#publisher.files.open(this.path, 'wx', 0o644);
    this.#isMade = true;
    return file;
  }

  async #close(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    this.#file = undefined;
    await file?.close();
  }
}
