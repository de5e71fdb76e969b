import type { ImageTarget } from '../../../content/ports.ts';
import type { Digest } from '../../../oci/digest.ts';
import { KeyedLock } from '../../../shared/slots.ts';

/** After so many refusals in a row, a registry is not asked to mount what it is known to hold. */
const mountTries = 3;

/**
 * What a run knows about one target registry, so that nothing is asked or sent twice: which
 * repository holds which blob, and which manifests are complete where.
 */
export class TargetMemory {
  /** One at a time per digest: whoever comes second finds the blob held and mounts it. */
  readonly uploads = new KeyedLock();
  /** One at a time per repository and digest. */
  readonly questions = new KeyedLock();
  /** Set once the registry has refused an index with missing platforms. */
  refusesSparse = false;
  readonly #blobs = new Map<string, Set<Digest>>();
  readonly #manifests = new Map<string, Set<Digest>>();
  readonly #holders = new Map<Digest, string>();
  #mountRefusals = 0;

  holdsBlob(label: string, digest: Digest): boolean {
    return this.#blobs.get(label)?.has(digest) ?? false;
  }

  /** True if a repository of this registry is known to hold it. */
  isHeld(digest: Digest): boolean {
    return this.#holders.has(digest);
  }

  rememberBlob(label: string, digest: Digest): void {
    setIn(this.#blobs, label).add(digest);
    if (!this.#holders.has(digest)) this.#holders.set(digest, label);
  }

  /** True for the manifest of an image that is complete in this repository. */
  holdsManifest(label: string, digest: Digest): boolean {
    return this.#manifests.get(label)?.has(digest) ?? false;
  }

  rememberManifest(label: string, digest: Digest): void {
    setIn(this.#manifests, label).add(digest);
  }

  /** The repository to mount a blob from: another one that is known to hold it. */
  mountCandidate(label: string, digest: Digest): string | undefined {
    const holder = this.#mountRefusals < mountTries ? this.#holders.get(digest) : undefined;
    return holder === label ? undefined : holder;
  }

  /** Learns from an attempt whether this registry can mount at all. */
  noteMount(succeeded: boolean): void {
    this.#mountRefusals = succeeded ? 0 : this.#mountRefusals + 1;
  }
}

/** The memories of a run, one for each target registry. */
export class TargetMemories {
  readonly #memories = new Map<string, TargetMemory>();

  of(target: ImageTarget): TargetMemory {
    // A target without a registry stands alone under its label.
    const key = target.registry === undefined ? `label ${target.label}` : target.registry;
    const known = this.#memories.get(key);
    if (known !== undefined) return known;
    const memory = new TargetMemory();
    this.#memories.set(key, memory);
    return memory;
  }
}

function setIn(map: Map<string, Set<Digest>>, key: string): Set<Digest> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const fresh = new Set<Digest>();
  map.set(key, fresh);
  return fresh;
}
