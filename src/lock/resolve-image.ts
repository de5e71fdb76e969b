import type { Descriptor } from '../oci/descriptor.ts';
import type { Digest } from '../oci/digest.ts';
import { platformOfConfig } from '../oci/image-config.ts';
import { type ImageIndex, type Manifest, parseManifest } from '../oci/manifest.ts';
import { partsOf } from '../oci/manifest-parts.ts';
import { MediaTypes } from '../oci/media-types.ts';
import { formatPlatform, type Platform, platformMatches } from '../oci/platform.ts';
import { selectPlatforms } from '../oci/select-platforms.ts';
import type { LockedBlob, LockedPlatform } from '../release/lock.ts';
import type { Run } from '../shared/run.ts';
import { ManifestUnusable } from './errors.ts';
import type { ImageReader } from './image-reader.ts';

/** What a name points to, taken apart for the wanted platforms. */
export interface ResolvedImage {
  readonly target: LockedBlob;
  readonly sparse: boolean;
  readonly indexes: readonly LockedBlob[];
  readonly platforms: readonly LockedPlatform[];
  /** Wanted platforms that the image lacks, and what it has instead. */
  readonly missing: readonly Platform[];
  readonly offered: readonly string[];
}

/** What an artefact without a platform runs on. */
export const anyPlatform = 'any';

/** The platform of build attestations, which travel with the image that they speak about. */
export const attestationPlatform = 'unknown/unknown';

/** Indexes in indexes are rare and flat; a deeper nest is a trap. */
const maxIndexDepth = 4;

const imageConfigTypes: ReadonlySet<string> = new Set([
  MediaTypes.ociConfig,
  MediaTypes.dockerConfig,
]);

/**
 * Reads the manifests behind `descriptor`, and the configs where only they tell the platform.
 *
 * An index of amd64 and arm64 with `linux/amd64` wanted → one platform, `sparse: true`. Nothing is
 * thrown for a missing platform: all images are looked at before anything is refused.
 */
export async function resolveImage(
  reader: ImageReader,
  descriptor: Descriptor,
  wanted: readonly Platform[],
  run: Run,
): Promise<ResolvedImage> {
  const { manifest, blob } = await readManifest(reader, descriptor, run);
  if (manifest.kind !== 'index') return resolveSingle(reader, { manifest, blob }, wanted, run);
  const found = await resolveIndex(reader, manifest.content, { wanted, depth: 1 }, run);
  const locked = new Set<Digest>(found.platforms.map((platform) => platform.manifest.digest));
  for (const index of found.indexes) locked.add(index.digest);
  return {
    ...found,
    target: blob,
    sparse: found.isSparse || manifest.content.manifests.some((entry) => !locked.has(entry.digest)),
  };
}

interface ReadManifest {
  readonly manifest: Manifest;
  readonly blob: LockedBlob;
}

interface FoundInIndex {
  readonly platforms: readonly LockedPlatform[];
  readonly indexes: readonly LockedBlob[];
  readonly missing: readonly Platform[];
  readonly offered: readonly string[];
  readonly isSparse: boolean;
}

async function resolveIndex(
  reader: ImageReader,
  index: ImageIndex,
  search: { readonly wanted: readonly Platform[]; readonly depth: number },
  run: Run,
): Promise<FoundInIndex> {
  const choice = selectPlatforms(index, search.wanted);
  const chosen: LockedPlatform[] = [];
  for (const { platform, descriptor } of choice.chosen) {
    chosen.push(await lockPlatform(reader, descriptor, formatPlatform(platform), run));
  }
  const unmarked = await resolveUnmarked(reader, choice.unmarked, choice.missing, run);
  const nested = await resolveNested(
    reader,
    choice.nested,
    { wanted: unmarked.missing, depth: search.depth },
    run,
  );
  const platforms = [...chosen, ...unmarked.platforms, ...nested.platforms];
  const attestations = await lockAttestations(reader, choice.attestations, platforms, run);
  return {
    platforms: [...platforms, ...attestations],
    indexes: nested.indexes,
    missing: nested.missing,
    offered: [...offeredBy(index), ...unmarked.offered, ...nested.offered],
    isSparse: nested.isSparse,
  };
}

async function resolveSingle(
  reader: ImageReader,
  { manifest, blob }: ReadManifest,
  wanted: readonly Platform[],
  run: Run,
): Promise<ResolvedImage> {
  const offered = await platformOf(reader, manifest, run);
  const fits = wanted.filter(
    (platform) => offered === undefined || platformMatches(platform, offered),
  );
  const name = offered === undefined ? anyPlatform : formatPlatform(offered);
  const isWanted = offered === undefined || fits.length > 0;
  return {
    target: blob,
    sparse: false,
    indexes: [],
    platforms: isWanted ? [lockManifest(reader, { manifest, blob }, name)] : [],
    missing: wanted.filter((platform) => !fits.includes(platform)),
    offered: [name],
  };
}

/** Images that an index lists without a platform: their configs tell. */
async function resolveUnmarked(
  reader: ImageReader,
  entries: readonly Descriptor[],
  wanted: readonly Platform[],
  run: Run,
) {
  const platforms: LockedPlatform[] = [];
  const offered: string[] = [];
  let missing = [...wanted];
  for (const entry of wanted.length === 0 ? [] : entries) {
    const read = await readManifest(reader, entry, run);
    const platform = await platformOf(reader, read.manifest, run);
    offered.push(platform === undefined ? anyPlatform : formatPlatform(platform));
    const fits = missing.find((want) => platform === undefined || platformMatches(want, platform));
    if (fits === undefined) continue;
    platforms.push(lockManifest(reader, read, formatPlatform(fits)));
    missing = missing.filter((want) => want !== fits);
  }
  return { platforms, missing, offered };
}

async function resolveNested(
  reader: ImageReader,
  entries: readonly Descriptor[],
  search: { readonly wanted: readonly Platform[]; readonly depth: number },
  run: Run,
): Promise<FoundInIndex> {
  let found: FoundInIndex = {
    platforms: [],
    indexes: [],
    missing: search.wanted,
    offered: [],
    isSparse: false,
  };
  for (const entry of search.depth < maxIndexDepth ? entries : []) {
    if (found.missing.length === 0) break;
    const { manifest, blob } = await readManifest(reader, entry, run);
    if (manifest.kind !== 'index') continue;
    const inner = { wanted: found.missing, depth: search.depth + 1 };
    const next = await resolveIndex(reader, manifest.content, inner, run);
    const isUsed = next.platforms.length > 0;
    const listed = manifest.content.manifests.length;
    found = {
      platforms: [...found.platforms, ...next.platforms],
      indexes: [...found.indexes, ...(isUsed ? [blob] : []), ...next.indexes],
      missing: next.missing,
      offered: [...found.offered, ...next.offered],
      isSparse: found.isSparse || next.isSparse || next.platforms.length < listed,
    };
  }
  return found;
}

/** Attestations of the chosen images travel along; those of other platforms stay behind. */
async function lockAttestations(
  reader: ImageReader,
  entries: readonly Descriptor[],
  platforms: readonly LockedPlatform[],
  run: Run,
): Promise<LockedPlatform[]> {
  const chosen = new Set<string>(platforms.map((platform) => platform.manifest.digest));
  const locked: LockedPlatform[] = [];
  for (const entry of entries) {
    if (!chosen.has(entry.annotations?.['vnd.docker.reference.digest'] ?? '')) continue;
    locked.push(await lockPlatform(reader, entry, attestationPlatform, run));
  }
  return locked;
}

async function lockPlatform(
  reader: ImageReader,
  descriptor: Descriptor,
  platform: string,
  run: Run,
): Promise<LockedPlatform> {
  return lockManifest(reader, await readManifest(reader, descriptor, run), platform);
}

function lockManifest(
  reader: ImageReader,
  { manifest, blob }: ReadManifest,
  platform: string,
): LockedPlatform {
  const parts = partsOf(manifest);
  const config = parts.find((part) => part.role === 'config');
  if (config === undefined) {
    const reason = `${blob.digest} is no image: it is ${manifest.mediaType} and has no config`;
    throw new ManifestUnusable({ label: reader.label, reason });
  }
  const foreign = parts.filter((part) => part.role === 'foreign-layer');
  return {
    platform,
    manifest: blob,
    config: locked(config.descriptor),
    layers: uniqueBlobs(
      parts.filter((part) => part.role === 'layer').map(({ descriptor }) => descriptor),
    ),
    ...(foreign.length > 0 && {
      foreignLayers: foreign.map(({ descriptor }) => ({
        ...locked(descriptor),
        urls: [...(descriptor.urls ?? [])],
      })),
    }),
  };
}

async function readManifest(
  reader: ImageReader,
  descriptor: Descriptor,
  run: Run,
): Promise<ReadManifest> {
  const content = await reader.read(descriptor, 'manifest', run);
  const manifest = parseManifest(content.bytes, descriptor.mediaType);
  const { digest, size } = content.descriptor;
  return { manifest, blob: { digest, size, mediaType: manifest.mediaType } };
}

/** The platform that a config states; undefined for artefacts, which run nowhere. */
async function platformOf(
  reader: ImageReader,
  manifest: Manifest,
  run: Run,
): Promise<Platform | undefined> {
  if (manifest.kind !== 'image' || !imageConfigTypes.has(manifest.content.config.mediaType)) {
    return undefined;
  }
  const { bytes } = await reader.read(manifest.content.config, 'config', run);
  return platformOfConfig(bytes);
}

function offeredBy(index: ImageIndex): string[] {
  return index.manifests.flatMap(({ platform }) =>
    platform === undefined || platform.os === 'unknown' ? [] : [formatPlatform(platform)],
  );
}

function locked({ digest, size, mediaType }: Descriptor): LockedBlob {
  return { digest, size, mediaType };
}

function uniqueBlobs(descriptors: readonly Descriptor[]): LockedBlob[] {
  return [...new Map(descriptors.map((layer) => [layer.digest, locked(layer)])).values()];
}
