/** A content store in memory: for small sets such as the quickstart's, and for tests. */
import type { BlobRef } from '../oci/descriptor.ts';
import { type Digest, digestOf, isDigest, splitDigest } from '../oci/digest.ts';
import { type Clock, systemClock } from '../shared/ports.ts';
import type { Run } from '../shared/run.ts';
import { bytesOf, collectBytes, stoppable } from './byte-streams.ts';
import { BlobDigestMismatch, BlobNameInvalid, BlobNotFound } from './errors.ts';
import { SharedWrites } from './internal/shared-writes.ts';
import type { BlobIngest, BlobIngester, BlobStore, ByteStream, StoredBlob } from './ports.ts';
import { verifying } from './verifying.ts';

interface Held {
  readonly bytes: Uint8Array;
  readonly storedAtMs: number;
}

/** `new MemoryStore()`: holds every byte in memory, so never use it for images of unknown size. */
export class MemoryStore implements BlobStore, BlobIngester {
  readonly #held = new Map<Digest, Held>();
  readonly #clock: Clock;
  readonly #writes = new SharedWrites({
    isPresent: (blob) => Promise.resolve(this.#isPresent(blob)),
    write: (blob, bytes, run) => this.#write(blob, bytes, run),
  });

  /** `clock` notes when a blob was put; this machine's unless given. */
  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  async open(blob: BlobRef, run: Run, fromByte = 0): Promise<ByteStream> {
    run.signal.throwIfAborted();
    const held = this.#held.get(requireDigest(blob.digest));
    if (held === undefined) {
      throw new BlobNotFound({ side: 'source', label: 'the memory store', digest: blob.digest });
    }
    return bytesOf(held.bytes.subarray(fromByte));
  }

  async find(digest: Digest, run: Run): Promise<number | undefined> {
    run.signal.throwIfAborted();
    return this.#held.get(requireDigest(digest))?.bytes.length;
  }

  async put(blob: BlobRef, bytes: ByteStream, run: Run): Promise<void> {
    requireDigest(blob.digest);
    await this.#writes.put(blob, bytes, run);
  }

  async begin(run: Run): Promise<BlobIngest> {
    run.signal.throwIfAborted();
    return new MemoryIngest((digest, bytes) => this.#keep(digest, bytes));
  }

  async *list(run: Run): AsyncGenerator<StoredBlob, void, undefined> {
    for (const [digest, { bytes, storedAtMs }] of [...this.#held]) {
      run.signal.throwIfAborted();
      yield { digest, size: bytes.length, storedAtMs };
    }
  }

  async remove(digest: Digest, run: Run): Promise<void> {
    run.signal.throwIfAborted();
    this.#held.delete(requireDigest(digest));
  }

  #isPresent(blob: BlobRef): boolean {
    const held = this.#held.get(blob.digest);
    if (held?.bytes.length !== blob.size) return false;
    this.#keep(blob.digest, held.bytes);
    return true;
  }

  async #write(blob: BlobRef, bytes: ByteStream, run: Run): Promise<void> {
    const content = await collectBytes(verifying(blob)(stoppable(bytes, run.signal)));
    this.#keep(blob.digest, content);
  }

  #keep(digest: Digest, bytes: Uint8Array): void {
    this.#held.set(digest, { bytes, storedAtMs: this.#clock.now() });
  }
}

class MemoryIngest implements BlobIngest {
  readonly #chunks: Uint8Array[] = [];
  readonly #keep: (digest: Digest, bytes: Uint8Array) => void;
  size = 0;

  constructor(keep: (digest: Digest, bytes: Uint8Array) => void) {
    this.#keep = keep;
  }

  async append(bytes: ByteStream, run: Run): Promise<void> {
    for await (const chunk of stoppable(bytes, run.signal)) {
      this.#chunks.push(chunk);
      this.size += chunk.length;
    }
  }

  async commit(digest: Digest, run: Run): Promise<BlobRef> {
    run.signal.throwIfAborted();
    const bytes = Buffer.concat(this.#chunks);
    const got = digestOf(bytes, splitDigest(requireDigest(digest)).algorithm);
    if (got !== digest) {
      throw new BlobDigestMismatch({ side: 'source', label: 'the sender', want: digest, got });
    }
    this.#keep(digest, bytes);
    return { digest, size: bytes.length };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#chunks.length = 0;
  }
}

function requireDigest(digest: Digest): Digest {
  if (!isDigest(digest)) throw new BlobNameInvalid({ name: String(digest) });
  return digest;
}
