import { createReadStream } from 'node:fs';
import type { BlobRef } from '../../oci/descriptor.ts';
import { type Digest, digester, splitDigest } from '../../oci/digest.ts';
import type { Run } from '../../shared/run.ts';
import { chunkBytes, stoppable } from '../byte-streams.ts';
import { BlobDigestMismatch } from '../errors.ts';
import type { BlobIngest, ByteStream } from '../ports.ts';
import type { TemporaryBlob } from './temporary-blob.ts';

/** A chunked upload into a folder: hashed once as sha256 while it comes in. */
export class DirIngest implements BlobIngest {
  readonly #temporary: TemporaryBlob;
  readonly #pathOf: (digest: Digest) => string;
  readonly #sha256 = lazy(() => digester());
  #size = 0;
  /** Bytes that were hashed; others than `size` only if the disk failed. */
  #hashedBytes = 0;
  #failure: Error | undefined;

  constructor(temporary: TemporaryBlob, pathOf: (digest: Digest) => string) {
    this.#temporary = temporary;
    this.#pathOf = pathOf;
  }

  get size(): number {
    return this.#size;
  }

  async append(bytes: ByteStream, run: Run): Promise<void> {
    this.#requireSound();
    const hashed = this.#hashing(stoppable(bytes, run.signal));
    try {
      await this.#temporary.append(hashed, this.#size, (byteCount) => {
        this.#size += byteCount;
      });
    } catch (error) {
      // The disk lost some of what was hashed: from here on nothing fits together.
      if (this.#hashedBytes !== this.#size && error instanceof Error) this.#failure = error;
      throw error;
    }
  }

  async commit(digest: Digest, run: Run): Promise<BlobRef> {
    run.signal.throwIfAborted();
    this.#requireSound();
    const finalPath = this.#pathOf(digest);
    const got = await this.#digestAs(digest);
    if (got !== digest) {
      throw new BlobDigestMismatch({ side: 'source', label: 'the sender', want: digest, got });
    }
    await this.#temporary.publish(finalPath, this.#size);
    return { digest, size: this.#size };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#temporary[Symbol.asyncDispose]();
  }

  #requireSound(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async *#hashing(bytes: ByteStream): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of bytes) {
      this.#sha256().update(chunk);
      this.#hashedBytes += chunk.length;
      yield chunk;
    }
  }

  /** The rare sha512 is known only at the end, so such a blob is read once more. */
  async #digestAs(digest: Digest): Promise<Digest> {
    const { algorithm } = splitDigest(digest);
    if (algorithm === 'sha256') return this.#sha256().digest();
    const hash = digester(algorithm);
    if (this.#size === 0) return hash.digest();
    const file = createReadStream(this.#temporary.path, { highWaterMark: chunkBytes });
    for await (const chunk of file) hash.update(chunk as Uint8Array); // no encoding is set
    return hash.digest();
  }
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
