import type { Descriptor } from '../../oci/descriptor.ts';
import type { Digest } from '../../oci/digest.ts';

/**
 * What a repository knows about one of its manifests: the descriptor as the referrers API lists it
 * (with artifactType and annotations) and the manifest that it refers to.
 */
export interface ManifestEntry {
  readonly descriptor: Descriptor;
  readonly subject?: Digest;
}

/** Lists names in ASCII order. `tags` is undefined for a repository that does not exist. */
export interface RepositoryLister {
  repositories(): Promise<readonly string[]>;
  tags(repository: string): Promise<readonly string[] | undefined>;
  /** All manifests, tagged or not, by digest: what garbage collection has to keep. */
  manifests(repository: string): Promise<readonly Descriptor[]>;
}

/**
 * What one repository holds. The bytes lie in a blob store that all repositories share; a
 * repository serves only what it holds by these answers.
 */
export interface RepositoryContents {
  resolve(repository: string, tag: string): Promise<Digest | undefined>;
  findManifest(repository: string, digest: Digest): Promise<ManifestEntry | undefined>;
  holdsBlob(repository: string, digest: Digest): Promise<boolean>;
  /** The manifests here whose subject is `subject`, by digest in ASCII order. */
  referrers(repository: string, subject: Digest): Promise<readonly Descriptor[]>;
}

/** Everything that a pull needs. */
export interface RepositoryReader extends RepositoryLister, RepositoryContents {}

/**
 * Adds to repositories and takes away from them; a repository exists from its first write on.
 * Each call is atomic and idempotent, and lasts once it has resolved. Removing says whether the
 * thing was there. Removing a manifest removes the tags that point to it; no call touches the
 * bytes in the blob store.
 *
 * A manifest comes before its `tags`, so whoever sees a tag can pull everything behind it; if the same
 * manifest is put and removed at the same time, either all of it is there afterwards or nothing.
 */
export interface RepositoryWriter {
  linkBlob(repository: string, digest: Digest): Promise<void>;
  unlinkBlob(repository: string, digest: Digest): Promise<boolean>;
  putManifest(repository: string, entry: ManifestEntry, tags?: readonly string[]): Promise<void>;
  removeManifest(repository: string, digest: Digest): Promise<boolean>;
  setTag(repository: string, tag: string, digest: Digest): Promise<void>;
  removeTag(repository: string, tag: string): Promise<boolean>;
}

/** A catalogue of repositories that can be pushed to; repositories.contract.ts checks each one. */
export interface RepositoryStore extends RepositoryReader, RepositoryWriter {}
