import type { Digest } from '../../oci/digest.ts';

/** A manifest ready to be sent. */
export interface CachedManifest {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly bytes: Uint8Array;
}

const entryOverheadBytes = 512;

/**
 * The manifests asked for last, per repository, up to `maxBytes` in all; one that is larger than a
 * sixteenth of that is not kept. Manifests never change under their digest, so an entry is only
 * ever wrong after a delete: call {@link ManifestCache.forget}.
 */
export class ManifestCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, CachedManifest>();
  #bytes = 0;
  #forgotten = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Changes with every {@link forget}; take it before reading what is to be kept. */
  get age(): number {
    return this.#forgotten;
  }

  get(repository: string, digest: Digest): CachedManifest | undefined {
    const key = keyOf(repository, digest);
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    // A Map keeps the order of insertion: the first is the one that was not used for longest.
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found;
  }

  /** Keeps what was read at `age`, unless something was forgotten since: it may have been this. */
  keep(repository: string, manifest: CachedManifest, age: number): void {
    if (age !== this.#forgotten || costOf(manifest) > this.#maxBytes / 16) return;
    this.#remove(keyOf(repository, manifest.digest));
    this.#entries.set(keyOf(repository, manifest.digest), manifest);
    this.#bytes += costOf(manifest);
    for (const [key, oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(key);
      this.#bytes -= costOf(oldest);
    }
  }

  forget(repository: string, digest: Digest): void {
    this.#forgotten += 1;
    this.#remove(keyOf(repository, digest));
  }

  #remove(key: string): void {
    const found = this.#entries.get(key);
    if (found === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= costOf(found);
  }
}

function keyOf(repository: string, digest: Digest): string {
  return `${repository}@${digest}`;
}

function costOf(manifest: CachedManifest): number {
  return manifest.bytes.length + entryOverheadBytes;
}
