import { type FileHandle, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendStream } from '../append-bytes.ts';
import { diskProblem } from '../disk-problem.ts';
import type { ByteStream } from '../ports.ts';
import { WriteBack } from '../write-back.ts';
import type { Publisher } from './publisher.ts';

/**
 * A file that gathers a blob under a name nobody reads, until it is published or disposed of. It is made
 * with the first bytes, so that thousands of uploads which were only announced cost nothing on the disk.
 */
export class TemporaryBlob implements AsyncDisposable {
  readonly path: string;
  readonly #publisher: Publisher;
  #file: Promise<FileHandle> | undefined;
  #isMade = false;
  readonly #writeBack = new WriteBack(async () => {
    await this.#publisher.flush(await this.#open(), 'datasync');
  });

  constructor(path: string, publisher: Publisher) {
    this.path = path;
    this.#publisher = publisher;
  }

  /** See {@link appendStream}; a full disk is told with `sizeBytes`, the size of the whole. */
  async append(
    bytes: ByteStream,
    sizeBytes: number,
    kept: (byteCount: number) => void = () => {},
  ): Promise<void> {
    try {
      // Reading begins before the file is there: what a broken connection still holds is gone soon.
      const writev = async (chunks: readonly Uint8Array[]) => (await this.#open()).writev(chunks);
      await appendStream({ writev }, bytes, (byteCount) => {
        kept(byteCount);
        this.#writeBack.wrote(byteCount);
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
      // Stored when it is whole: the last bytes of an upload may have come hours before its end.
      const now = new Date(this.#publisher.clock.now());
      await file.utimes(now, now);
      await this.#sync(file);
      await this.#close();
      await this.#publisher.publish(this.path, finalPath);
      this.#isMade = false;
    } catch (error) {
      throw diskProblem(error, this.path, sizeBytes);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writeBack.settled().catch(() => {});
    await this.#close();
    if (this.#isMade) await rm(this.path, { force: true });
  }

  async #sync(file: FileHandle): Promise<void> {
    await this.#writeBack.settled();
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
