import { Buffer } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { chunkBytes } from './byte-streams.ts';

/** Where reading begins, how much is expected there, and how it is read. */
export interface FilePart {
  readonly fromByte: number;
  /** Only to make the last chunk no larger than needed; the file is read to its end. */
  readonly expectedBytes: number;
  readonly signal: AbortSignal;
  /** Asked before each chunk; 256 KiB unless given. */
  readonly chunkBytes?: (() => number) | undefined;
}

/**
 * The bytes of an open file, one chunk at a time and none read ahead: a reader that stands still costs one
 * chunk. The file is closed at its end, by `return`, and by an error.
 */
export class FileBytes implements AsyncIterableIterator<Uint8Array> {
  readonly #file: FileHandle;
  readonly #part: FilePart;
  #position: number;
  #isClosed = false;

  constructor(file: FileHandle, part: FilePart) {
    this.#file = file;
    this.#part = part;
    this.#position = part.fromByte;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#isClosed) return { done: true, value: undefined };
    try {
      this.#part.signal.throwIfAborted();
      const buffer = Buffer.allocUnsafe(this.#nextSize());
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#position);
      this.#position += bytesRead;
      if (bytesRead > 0) return { done: false, value: buffer.subarray(0, bytesRead) };
    } catch (error) {
      await this.return();
      throw error;
    }
    return this.return();
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      await this.#file.close();
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** At least one byte, to see the end, or that there is more than expected. */
  #nextSize(): number {
    const { fromByte, expectedBytes } = this.#part;
    const left = fromByte + expectedBytes - this.#position;
    const most = this.#part.chunkBytes?.() ?? chunkBytes;
    return left <= 0 ? 1 : Math.min(left, most);
  }
}
