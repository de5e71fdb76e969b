/** A registry over content that is there already, such as a bundle: read-only, nothing is copied. */
import type { BlobFinder, BlobReader } from '../../content/ports.ts';
import { readStoredManifest } from '../../content/stored-manifest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { Digest } from '../../oci/digest.ts';
import { partsOf } from '../../oci/manifest-parts.ts';
import { isIndexType, isManifestType } from '../../oci/media-types.ts';
import { referrerDescriptor } from '../../oci/referrers.ts';
import { mapBounded } from '../../shared/bounded.ts';
import type { Run } from '../../shared/run.ts';
import { StaticContentMissing } from './errors.ts';
import { MemoryRepositories } from './memory-repositories.ts';
import type { ManifestEntry } from './ports.ts';
import type { ReadOnlyStorage } from './registry-parts.ts';

/** What a repository of {@link openStaticRegistry} serves: manifests with all that they name. */
export interface StaticRepository {
  readonly repository: string;
  /** Their digests are served too, without being listed below. */
  readonly tags: Readonly<Record<string, Digest>>;
  readonly digests: readonly Digest[];
  /** How a manifest is sent that does not say its type itself; else its shape decides. */
  readonly mediaTypes?: ReadonlyMap<Digest, string>;
}

const parallelReads = 8;

/**
 * `openStaticRegistry([{ repository: 'pause', tags: { '3.9': digest }, digests: [] }], bundle, run)`
 * → storage for {@link createRegistry}. Each manifest is read once, however many repositories name
 * it; blobs are not looked at. Memory: about 100 bytes for each blob of each repository.
 *
 * Manifests that an index names and the content lacks are left out (sparse index). Rejects with
 * STATIC_CONTENT_MISSING for one of the list itself, and with what reading a manifest rejects with.
 */
export async function openStaticRegistry(
  served: readonly StaticRepository[],
  content: BlobReader & BlobFinder,
  run: Run,
): Promise<ReadOnlyStorage> {
  const repositories = new MemoryRepositories();
  const library = new ManifestLibrary(content, run);
  await mapBounded(served, parallelReads, (one) => fill(repositories, library, one), run.signal);
  return { access: 'read-only', content, repositories };
}

async function fill(
  repositories: MemoryRepositories,
  library: ManifestLibrary,
  { repository, tags, digests, mediaTypes }: StaticRepository,
): Promise<void> {
  const roots = new Set([...digests, ...Object.values(tags)]);
  for (const digest of roots) {
    const known = await library.read(digest, mediaTypes?.get(digest));
    if (known === undefined) throw new StaticContentMissing({ repository, digest });
    await addTree(repositories, library, { repository, known });
  }
  for (const [tag, digest] of Object.entries(tags)) {
    await repositories.setTag(repository, tag, digest);
  }
}

async function addTree(
  repositories: MemoryRepositories,
  library: ManifestLibrary,
  { repository, known }: { readonly repository: string; readonly known: KnownManifest },
): Promise<void> {
  await repositories.putManifest(repository, known.entry);
  for (const digest of known.blobs) await repositories.linkBlob(repository, digest);
  for (const child of known.manifests) {
    if ((await repositories.findManifest(repository, child.digest)) !== undefined) continue;
    const found = await library.read(child.digest, child.mediaType);
    if (found !== undefined) await addTree(repositories, library, { repository, known: found });
  }
}

interface KnownManifest {
  readonly entry: ManifestEntry;
  readonly manifests: readonly Descriptor[];
  readonly blobs: readonly Digest[];
}

/** Reads each manifest once and keeps what it names, not its bytes. */
class ManifestLibrary {
  readonly #content: BlobReader & BlobFinder;
  readonly #run: Run;
  readonly #known = new Map<Digest, Promise<KnownManifest | undefined>>();

  constructor(content: BlobReader & BlobFinder, run: Run) {
    this.#content = content;
    this.#run = run;
  }

  read(digest: Digest, mediaType?: string): Promise<KnownManifest | undefined> {
    const known = this.#known.get(digest) ?? this.#read(digest, mediaType);
    this.#known.set(digest, known);
    return known;
  }

  async #read(digest: Digest, mediaType?: string): Promise<KnownManifest | undefined> {
    const stored = await readStoredManifest(this.#content, digest, mediaType, this.#run);
    if (stored === undefined) return undefined;
    const { manifest } = stored;
    const descriptor = referrerDescriptor(manifest, stored.descriptor);
    const subject = manifest.content.subject?.digest;
    const named = partsOf(manifest).filter(({ role }) => role !== 'subject');
    const isManifest = (type: string) => isIndexType(type) || isManifestType(type);
    const descriptors = named.map((part) => part.descriptor);
    return {
      entry: { descriptor, ...(subject !== undefined && { subject }) },
      manifests: descriptors.filter((item) => isManifest(item.mediaType)),
      blobs: descriptors.filter((item) => !isManifest(item.mediaType)).map((item) => item.digest),
    };
  }
}
