import type { Descriptor } from '../../oci/descriptor.ts';
import type { Digest } from '../../oci/digest.ts';
import { compareText } from '../../shared/json.ts';
import type { ManifestEntry, RepositoryStore } from './ports.ts';

interface Holdings {
  readonly tags: Map<string, Digest>;
  readonly manifests: Map<Digest, ManifestEntry>;
  readonly blobs: Set<Digest>;
}

/** A catalogue of repositories in memory: for tests, the quickstart, and static content. */
export class MemoryRepositories implements RepositoryStore {
  readonly #holdings = new Map<string, Holdings>();

  async repositories(): Promise<readonly string[]> {
    return [...this.#holdings.keys()].sort(compareText);
  }

  async tags(repository: string): Promise<readonly string[] | undefined> {
    const found = this.#holdings.get(repository);
    return found === undefined ? undefined : [...found.tags.keys()].sort(compareText);
  }

  async manifests(repository: string): Promise<readonly Descriptor[]> {
    const entries = this.#holdings.get(repository)?.manifests.values() ?? [];
    return [...entries].map((entry) => entry.descriptor).sort(byDigest);
  }

  async resolve(repository: string, tag: string): Promise<Digest | undefined> {
    return this.#holdings.get(repository)?.tags.get(tag);
  }

  async findManifest(repository: string, digest: Digest): Promise<ManifestEntry | undefined> {
    return this.#holdings.get(repository)?.manifests.get(digest);
  }

  async holdsBlob(repository: string, digest: Digest): Promise<boolean> {
    return this.#holdings.get(repository)?.blobs.has(digest) ?? false;
  }

  async referrers(repository: string, subject: Digest): Promise<readonly Descriptor[]> {
    const entries = [...(this.#holdings.get(repository)?.manifests.values() ?? [])];
    return entries
      .filter((entry) => entry.subject === subject)
      .map((entry) => entry.descriptor)
      .sort(byDigest);
  }

  async linkBlob(repository: string, digest: Digest): Promise<void> {
    this.#open(repository).blobs.add(digest);
  }

  async unlinkBlob(repository: string, digest: Digest): Promise<boolean> {
    return this.#holdings.get(repository)?.blobs.delete(digest) ?? false;
  }

  async putManifest(
    repository: string,
    entry: ManifestEntry,
    tags: readonly string[] = [],
  ): Promise<void> {
    const { digest } = entry.descriptor;
    const holdings = this.#open(repository);
    holdings.manifests.set(digest, entry);
    for (const tag of tags) holdings.tags.set(tag, digest);
  }

  async removeManifest(repository: string, digest: Digest): Promise<boolean> {
    const found = this.#holdings.get(repository);
    if (found === undefined) return false;
    for (const [tag, target] of found.tags) if (target === digest) found.tags.delete(tag);
    return found.manifests.delete(digest);
  }

  async setTag(repository: string, tag: string, digest: Digest): Promise<void> {
    this.#open(repository).tags.set(tag, digest);
  }

  async removeTag(repository: string, tag: string): Promise<boolean> {
    return this.#holdings.get(repository)?.tags.delete(tag) ?? false;
  }

  #open(repository: string): Holdings {
    const known = this.#holdings.get(repository);
    if (known !== undefined) return known;
    const fresh: Holdings = { tags: new Map(), manifests: new Map(), blobs: new Set() };
    this.#holdings.set(repository, fresh);
    return fresh;
  }
}

function byDigest(a: Descriptor, b: Descriptor): number {
  return compareText(a.digest, b.digest);
}
