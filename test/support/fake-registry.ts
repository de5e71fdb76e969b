/** A fake: a registry in memory without HTTP, which keeps a list of everything it was asked. */
import { bytesOf } from '../../src/content/byte-streams.ts';
import { BlobNotFound, ManifestNotFound } from '../../src/content/errors.ts';
import { MemoryStore } from '../../src/content/memory-store.ts';
import type { ImageSource, ImageTarget, ManifestContent } from '../../src/content/ports.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { type Digest, isDigest } from '../../src/oci/digest.ts';
import { parseManifest } from '../../src/oci/manifest.ts';
import { partsOf } from '../../src/oci/manifest-parts.ts';
import { isIndexType } from '../../src/oci/media-types.ts';
import { ManifestIncomplete } from '../../src/registry/client/errors.ts';
import type { Run } from '../../src/shared/run.ts';

/** One call: `{ did: 'put', repository: 'app', object: 'sha256:…' }`. */
export interface FakeCall {
  readonly did:
    | 'find'
    | 'put'
    | 'mount'
    | 'open'
    | 'find manifest'
    | 'put manifest'
    | 'fetch manifest';
  readonly repository: string;
  readonly object: string;
}

export type FakeRepository = ImageSource & ImageTarget;

export interface FakeRegistryOptions {
  /** Takes an index whose images are not all there; no by default, like distribution. */
  readonly takesSparse?: boolean;
  readonly cannotMount?: boolean;
}

interface Held {
  readonly label: string;
  readonly store: MemoryStore;
  readonly manifests: ReadonlyMap<Digest, ManifestContent>;
}

/** Blobs and manifests are per repository, as in a real one; only `mount` crosses the border. */
export class FakeRegistry {
  readonly calls: FakeCall[] = [];
  readonly #name: string;
  readonly #options: FakeRegistryOptions;
  readonly #repositories = new Map<string, FakeRepository>();
  readonly #blobs = new Map<string, MemoryStore>();

  constructor(name: string, options: FakeRegistryOptions = {}) {
    this.#name = name;
    this.#options = options;
  }

  repository(path: string): FakeRepository {
    const known = this.#repositories.get(path);
    if (known !== undefined) return known;
    const fresh = this.#make(path);
    this.#repositories.set(path, fresh);
    return fresh;
  }

  /** How often something was done, perhaps with one object only. */
  count(did: FakeCall['did'], object?: string): number {
    return this.calls.filter((call) => call.did === did && (object ?? call.object) === call.object)
      .length;
  }

  /** Objects of one kind of call, in order. */
  objects(did: FakeCall['did']): readonly string[] {
    return this.calls.filter((call) => call.did === did).map((call) => call.object);
  }

  #make(path: string): FakeRepository {
    const label = `${this.#name}/${path}`;
    const store = new MemoryStore();
    this.#blobs.set(label, store);
    const manifests = new Map<Digest, ManifestContent>();
    const tags = new Map<string, Digest>();
    const note = (did: FakeCall['did'], object: string) =>
      void this.calls.push({ did, repository: path, object });
    const lookUp = (reference: string) =>
      manifests.get(isDigest(reference) ? reference : (tags.get(reference) ?? 'sha256:none'));
    return {
      label,
      registry: this.#name,
      open: async (blob, run, fromByte) => {
        note('open', blob.digest);
        if ((await store.find(blob.digest, run)) !== undefined)
          return store.open(blob, run, fromByte);
        throw new BlobNotFound({ side: 'source', label, digest: blob.digest });
      },
      fetchManifest: async (reference) => {
        note('fetch manifest', reference);
        const found = lookUp(reference);
        if (found === undefined) throw new ManifestNotFound({ side: 'source', label, reference });
        return found;
      },
      find: async (digest, run) => {
        note('find', digest);
        return store.find(digest, run);
      },
      put: async (blob, bytes, run) => {
        note('put', blob.digest);
        await store.put(blob, bytes, run);
      },
      findManifest: async (reference) => {
        note('find manifest', reference);
        return lookUp(reference)?.descriptor.digest;
      },
      putManifest: async (manifest, tag, run) => {
        note('put manifest', tag ?? manifest.descriptor.digest);
        await this.#requireParts({ label, store, manifests }, manifest, run);
        const { mediaType, digest, size } = manifest.descriptor;
        manifests.set(digest, { descriptor: { mediaType, digest, size }, bytes: manifest.bytes });
        if (tag !== undefined) tags.set(tag, digest);
      },
      mount: async (blob, from, run) => {
        note('mount', blob.digest);
        const other = this.#blobs.get(from);
        if (this.#options.cannotMount === true || other === undefined) return false;
        if ((await other.find(blob.digest, run)) === undefined) return false;
        await store.put(blob, await other.open(blob, run), run);
        return true;
      },
    };
  }

  async #requireParts(
    { label, store, manifests }: Held,
    { descriptor, bytes }: ManifestContent,
    run: Run,
  ): Promise<void> {
    const manifest = parseManifest(bytes, descriptor.mediaType);
    for (const { role, descriptor: part } of partsOf(manifest)) {
      const isOptional = role === 'subject' || role === 'foreign-layer';
      const isSparse = role === 'manifest' && this.#options.takesSparse === true;
      const isThere =
        manifests.has(part.digest) || (await store.find(part.digest, run)) !== undefined;
      if (isThere || isOptional || isSparse) continue;
      throw new ManifestIncomplete({
        side: 'target',
        registry: this.#name,
        purpose: 'putting a manifest',
        status: 404,
        text: `${part.digest} is unknown`,
        label,
        digest: descriptor.digest,
        isIndex: isIndexType(descriptor.mediaType),
      });
    }
  }
}

/** Bytes with their descriptor, and what they name; the images of an index are in `images`. */
export interface Built {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
  readonly blobs?: readonly Built[];
  readonly images?: readonly Built[];
}

/** Fills a repository, children first; the root gets `tag`. Does not leave a trace in `calls`. */
export async function fill(
  registry: FakeRegistry,
  path: string,
  built: Built,
  options: { readonly tag?: string; readonly run: Run },
): Promise<void> {
  const callsBefore = registry.calls.length;
  const repository = registry.repository(path);
  for (const { descriptor, bytes } of built.blobs ?? []) {
    await repository.put(descriptor, bytesOf(bytes), options.run);
  }
  for (const image of built.images ?? []) await fill(registry, path, image, { run: options.run });
  await repository.putManifest(built, options.tag, options.run);
  registry.calls.length = callsBefore;
}
