/** A content store on disk: the blobs of an OCI image layout, written by at most one process. */
import { randomUUID } from 'node:crypto';
import { lstat, opendir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobRef } from '../oci/descriptor.ts';
import { type Digest, type DigestAlgorithm, isDigest, splitDigest } from '../oci/digest.ts';
import { type DurableFiles, systemFiles } from '../shared/durable-files.ts';
import { systemCode } from '../shared/errors.ts';
import { type Clock, systemClock } from '../shared/ports.ts';
import type { Run } from '../shared/run.ts';
import { stoppable } from './byte-streams.ts';
import { BlobNameInvalid, BlobNotFound, StoreReadOnly } from './errors.ts';
import { FileBytes } from './file-bytes.ts';
import { DirIngest } from './internal/dir-ingest.ts';
import { ingestFolder, type OpenedLayout, openLayoutFolder } from './internal/layout-folder.ts';
import { Publisher } from './internal/publisher.ts';
import { SharedWrites } from './internal/shared-writes.ts';
import { TemporaryBlob } from './internal/temporary-blob.ts';
import { openRegularFile } from './open-regular-file.ts';
import type {
  BlobIngest,
  BlobIngester,
  BlobStore,
  ByteStream,
  ReadOptions,
  StoredBlob,
} from './ports.ts';
import { verifying } from './verifying.ts';

/** How a store is opened; by default for reading, which needs no lock and changes nothing. */
export interface DirStoreOptions {
  /** Makes the folder if needed and takes its lock until `close` (STORE_LOCKED). */
  readonly write?: boolean;
  /** Says when a blob was put; this machine's unless given. */
  readonly clock?: Clock;
  /** This machine's file system unless given; tests watch it, or give a device that is full. */
  readonly files?: DurableFiles;
}

interface StoreWorld {
  readonly clock: Clock;
  readonly publisher: Publisher;
}

const algorithms: readonly DigestAlgorithm[] = ['sha256', 'sha512'];

/**
 * Opens the OCI image layout in `root`: `openDirStore('/var/lib/slipway', { write: true })`.
 *
 * Readers may come and go while one process writes. The writer removes what a killed run left
 * behind. Rejects with LAYOUT_INVALID (a folder with something else in it), STORE_LOCKED.
 * Source: https://github.com/opencontainers/image-spec/blob/main/image-layout.md
 */
export async function openDirStore(root: string, options: DirStoreOptions = {}): Promise<DirStore> {
  const layout = await openLayoutFolder(root, options.write ?? false);
  const { clock = systemClock, files = systemFiles } = options;
  return new DirStore(layout, { clock, publisher: new Publisher(files, clock) });
}

/** See {@link openDirStore}. Close it, or use `await using`; closing twice is safe. */
export class DirStore implements BlobStore, BlobIngester, AsyncDisposable {
  readonly root: string;
  readonly #layout: OpenedLayout;
  readonly #world: StoreWorld;
  readonly #writes: SharedWrites;
  #isWritable: boolean;

  constructor(layout: OpenedLayout, world: StoreWorld) {
    this.root = layout.root;
    this.#layout = layout;
    this.#world = world;
    this.#isWritable = layout.isWritable;
    this.#writes = new SharedWrites({
      isPresent: (blob) => this.#isPresent(blob),
      write: (blob, bytes, run) => this.#write(blob, bytes, run),
    });
  }

  /** Where a blob lies once it is complete. Only digests have a place (BLOB_NAME_INVALID). */
  blobPath(digest: Digest): string {
    if (!isDigest(digest)) throw new BlobNameInvalid({ name: String(digest) });
    const { algorithm, hex } = splitDigest(digest);
    return join(this.root, 'blobs', algorithm, hex);
  }

  async open(
    blob: BlobRef,
    run: Run,
    fromByte = 0,
    { chunkBytes }: ReadOptions = {},
  ): Promise<ByteStream> {
    const { signal } = run;
    signal.throwIfAborted();
    const opened = await openRegularFile(this.blobPath(blob.digest));
    if (opened === undefined) {
      throw new BlobNotFound({ side: 'source', label: this.root, digest: blob.digest });
    }
    const expectedBytes = blob.size - fromByte;
    return new FileBytes(opened.file, { fromByte, expectedBytes, signal, chunkBytes });
  }

  async find(digest: Digest, run: Run): Promise<number | undefined> {
    run.signal.throwIfAborted();
    return (await this.#stat(digest))?.size;
  }

  async put(blob: BlobRef, bytes: ByteStream, run: Run): Promise<void> {
    this.#requireWritable();
    await this.#writes.put(blob, bytes, run);
  }

  async begin(run: Run): Promise<BlobIngest> {
    run.signal.throwIfAborted();
    return new DirIngest(this.#temporary(), (digest) => this.blobPath(digest));
  }

  async *list(run: Run): AsyncGenerator<StoredBlob, void, undefined> {
    for (const algorithm of algorithms) {
      for await (const hex of namesIn(join(this.root, 'blobs', algorithm))) {
        run.signal.throwIfAborted();
        const digest = `${algorithm}:${hex}` as const;
        const found = isDigest(digest) ? await this.#stat(digest) : undefined;
        if (found !== undefined) yield { digest, size: found.size, storedAtMs: found.mtimeMs };
      }
    }
  }

  async remove(digest: Digest, run: Run): Promise<void> {
    run.signal.throwIfAborted();
    this.#requireWritable();
    await rm(this.blobPath(digest), { force: true });
  }

  async close(): Promise<void> {
    this.#isWritable = false;
    await this.#layout.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A file of another size is a damaged blob or a wrong descriptor: the bytes will tell. */
  async #isPresent(blob: BlobRef): Promise<boolean> {
    const found = await this.#stat(blob.digest);
    if (found?.size !== blob.size) return false;
    await this.#world.publisher.settled(this.blobPath(blob.digest));
    return this.#touch(blob.digest);
  }

  /** Counts as stored now, so that garbage collection grants its grace to whoever put it. */
  async #touch(digest: Digest): Promise<boolean> {
    const now = new Date(this.#world.clock.now());
    try {
      await utimes(this.blobPath(digest), now, now);
      return true;
    } catch (error) {
      // A file of another user may be used, but its time cannot be set.
      return !isAbsence(error);
    }
  }

  async #write(blob: BlobRef, bytes: ByteStream, run: Run): Promise<void> {
    const path = this.blobPath(blob.digest);
    await using temporary = this.#temporary();
    await temporary.append(verifying(blob)(stoppable(bytes, run.signal)), blob.size);
    await temporary.publish(path, blob.size);
  }

  #temporary(): TemporaryBlob {
    this.#requireWritable();
    const path = join(this.root, ingestFolder, randomUUID());
    return new TemporaryBlob(path, this.#world.publisher);
  }

  async #stat(digest: Digest): Promise<{ size: number; mtimeMs: number } | undefined> {
    try {
      const found = await lstat(this.blobPath(digest));
      return found.isFile() ? found : undefined;
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  }

  #requireWritable(): void {
    if (!this.#isWritable) throw new StoreReadOnly({ path: this.root });
  }
}

async function* namesIn(folder: string): AsyncGenerator<string, void, undefined> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name;
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
}
