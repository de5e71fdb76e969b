import type { ByteStream, ImageSource, ImageTarget } from '../../content/ports.ts';
import type { BlobRef, Descriptor } from '../../oci/descriptor.ts';
import type { Digest } from '../../oci/digest.ts';
import type { Run } from '../../shared/run.ts';
import { BlobReader } from './internal/blob-reader.ts';
import { BlobWriter } from './internal/blob-writer.ts';
import { ManifestReader } from './internal/manifest-reader.ts';
import { ManifestWriter } from './internal/manifest-writer.ts';
import type { PolicyTransport } from './internal/policy-transport.ts';
import { Referrers } from './internal/referrers.ts';
import { RepositoryApi } from './internal/repository-api.ts';
import { listTags } from './internal/tags.ts';
import type { UploadHabits } from './internal/upload-habits.ts';

/** What the caller of {@link Repository.put} knows already. */
export interface PutOptions {
  /** The caller has just asked: the blob is not there, so the HEAD before the upload is left out. */
  readonly isMissing?: boolean;
}

/**
 * One repository of a registry, spoken to by the distribution protocol; the content is checked on
 * every way. Fails with the codes of errors.ts, each naming registry, side, operation and object.
 * Source: https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
export interface Repository extends ImageSource, ImageTarget {
  /** The same for all repositories of one registry: the copy engine mounts between them. */
  readonly registry: string;
  /** Path below the registry: `library/nginx`. */
  readonly path: string;
  /** The descriptor behind a tag or digest by HEAD; asks by GET where HEAD says too little. MANIFEST_NOT_FOUND. */
  resolve(reference: string, run: Run): Promise<Descriptor>;
  /**
   * Bytes from `fromByte` on. A broken connection is continued by Range without the reader noticing;
   * never yields more bytes than `blob.size` says. BLOB_NOT_FOUND, BLOB_SIZE_MISMATCH.
   */
  open(blob: BlobRef, run: Run, fromByte?: number): Promise<ByteStream>;
  put(blob: BlobRef, bytes: ByteStream, run: Run, options?: PutOptions): Promise<void>;
  /**
   * As the port says; without `from` the registry is asked to find the blob by itself. An upload session
   * that a registry opens instead is kept and used by the next `put` of that blob.
   */
  mount(blob: BlobRef, from: string | undefined, run: Run): Promise<boolean>;
  /** All tags in the registry's order, page by page. REPOSITORY_NOT_FOUND. */
  listTags(run: Run): AsyncIterable<string>;
  /** What names `subject`, of one artifact type or all; from the referrers API or the fallback tag. */
  referrers(subject: Digest, run: Run, artifactType?: string): Promise<readonly Descriptor[]>;
  deleteManifest(digest: Digest, run: Run): Promise<void>;
  deleteTag(tag: string, run: Run): Promise<void>;
  deleteBlob(digest: Digest, run: Run): Promise<void>;
}

/** A repository as its registry holds it. */
export interface ClosableRepository extends Repository {
  /** Cancels upload sessions that a registry opened instead of mounting and that no `put` has used. */
  cancelOffered(run: Run): Promise<void>;
}

/** Opens one repository; the parts share its address, its tokens and what is known of the registry. */
export function openRepository(
  transport: PolicyTransport,
  path: string,
  habits: UploadHabits,
): ClosableRepository {
  const api = new RepositoryApi(transport, path);
  const reader = new ManifestReader(api);
  const writer = new ManifestWriter(api);
  const blobs = new BlobReader(api);
  const uploads = new BlobWriter(api, blobs, habits);
  const referrers = new Referrers(api, reader, writer);
  return {
    registry: transport.endpoint.name,
    path,
    label: api.label,
    fetchManifest: (reference, run) => reader.fetch(reference, run),
    resolve: (reference, run) => reader.resolve(reference, run),
    findManifest: async (reference, run) => (await reader.find(reference, run))?.digest,
    putManifest: async (manifest, tag, run) => {
      const unlisted = await writer.put(manifest, tag, run);
      if (unlisted !== undefined) await referrers.add(unlisted, run);
    },
    find: (digest, run) => blobs.find(digest, run),
    open: (blob, run, fromByte) => blobs.open(blob, run, fromByte),
    put: (blob, bytes, run, options) => uploads.put(blob, bytes, run, options),
    mount: (blob, from, run) => uploads.mount(blob, from, run),
    listTags: (run) => listTags(api, run),
    referrers: (subject, run, artifactType) => referrers.list(subject, run, artifactType),
    deleteManifest: (digest, run) => writer.delete(digest, run),
    deleteTag: (tag, run) => writer.delete(tag, run),
    deleteBlob: (digest, run) => uploads.delete(digest, run),
    cancelOffered: (run) => uploads.cancelOffered(run),
  };
}
