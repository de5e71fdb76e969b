import type { BlobRef, Descriptor } from '../oci/descriptor.ts';
import type { Digest } from '../oci/digest.ts';
import type { Run } from '../shared/run.ts';

/** Which end of a transfer an error belongs to. */
export type Side = 'source' | 'target';

/** Bytes on their way: a Node stream, a generator, an undici body. */
export type ByteStream = AsyncIterable<Uint8Array>;

/**
 * Gives out blobs. `open` rejects with BLOB_NOT_FOUND; `fromByte` starts in the middle (default 0).
 * The stream is not yet verified: pass it through `verifying` unless it goes into a BlobWriter,
 * which always verifies.
 */
export interface BlobReader {
  open(blob: BlobRef, run: Run, fromByte?: number, options?: ReadOptions): Promise<ByteStream>;
}

/** How a blob is read; a store may leave it unheeded. */
export interface ReadOptions {
  /** Asked before each chunk: how large may it be? For a server with thousands of slow readers. */
  readonly chunkBytes?: () => number;
}

/** Tells whether a blob is present and whole: its size in bytes, or undefined. */
export interface BlobFinder {
  find(digest: Digest, run: Run): Promise<number | undefined>;
}

/**
 * Takes blobs in. Size and digest are checked while the bytes stream; the blob becomes visible only
 * when it is whole (BLOB_SIZE_MISMATCH, BLOB_DIGEST_MISMATCH leave nothing behind). Putting a blob
 * that is already there succeeds without reading `bytes`; callers that put the same blob at the same
 * time share one write.
 */
export interface BlobWriter {
  put(blob: BlobRef, bytes: ByteStream, run: Run, options?: PutOptions): Promise<void>;
}

/** What the caller of `put` knows already. */
export interface PutOptions {
  /** The caller has just asked: the blob is not there, so a remote target need not ask again. */
  readonly isMissing?: boolean;
}

/** A blob in a store, with the time (ms since 1970) it was last put, where the store knows it. */
export interface StoredBlob extends BlobRef {
  readonly storedAtMs?: number;
}

/** Removes and lists blobs; what garbage collection needs. Removing what is not there succeeds. */
export interface BlobPruner {
  list(run: Run): AsyncIterable<StoredBlob>;
  remove(digest: Digest, run: Run): Promise<void>;
}

/** A whole content-addressed store: disk and memory implement it, store.contract.ts checks it. */
export interface BlobStore extends BlobReader, BlobFinder, BlobWriter, BlobPruner {}

/**
 * A blob under way whose digest is known only at its end, as in a chunked upload. Disposing without
 * `commit` leaves nothing behind. Calls must not overlap.
 */
export interface BlobIngest extends AsyncDisposable {
  /** Bytes taken in so far. */
  readonly size: number;
  /** Adds bytes; when the stream breaks off, `size` says how many were kept. */
  append(bytes: ByteStream, run: Run): Promise<void>;
  /** Makes the blob visible under `digest`, or rejects with BLOB_DIGEST_MISMATCH. */
  commit(digest: Digest, run: Run): Promise<BlobRef>;
}

/** Takes blobs in piece by piece; every store of ours does, beside the whole `put`. */
export interface BlobIngester {
  begin(run: Run): Promise<BlobIngest>;
}

/** A manifest or index with its exact bytes; `descriptor` was checked against them. */
export interface ManifestContent {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

/**
 * Where images come from, one repository at a time: a registry's repository or a part of a store.
 * `reference` is a tag or a digest. `fetchManifest` rejects with MANIFEST_NOT_FOUND.
 */
export interface ImageSource extends BlobReader {
  /** For messages: `registry.k8s.io/pause` or a folder's path. */
  readonly label: string;
  fetchManifest(reference: string, run: Run): Promise<ManifestContent>;
}

/** Where images go, one repository at a time. Manifests are put after everything they name. */
export interface ImageTarget extends BlobFinder, BlobWriter {
  readonly label: string;
  /** Names the registry: repositories of one registry can mount from each other. Absent: alone. */
  readonly registry?: string;
  /** The digest behind a tag or digest, or undefined. */
  findManifest(reference: string, run: Run): Promise<Digest | undefined>;
  /** Stores the bytes under their digest and, if `tag` is given, under that tag. */
  putManifest(manifest: ManifestContent, tag: string | undefined, run: Run): Promise<void>;
  /**
   * Makes a blob that the target holds in `from` (another repository of the same registry, by
   * label) visible here without moving bytes. False: it could not, so put it.
   */
  mount?(blob: BlobRef, from: string, run: Run): Promise<boolean>;
}
