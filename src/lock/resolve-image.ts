import { contentPlace, inPlace } from '../oci/content-place.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { Digest } from '../oci/digest.ts';
import { platformOfConfig } from '../oci/image-config.ts';
import { type ImageIndex, type Manifest, parseManifest } from '../oci/manifest.ts';
import { partsOf } from '../oci/manifest-parts.ts';
import { isImageConfigType } from '../oci/media-types.ts';
import { formatPlatform, type Platform, platformMatches } from '../oci/platform.ts';
import { selectPlatforms } from '../oci/select-platforms.ts';
import type { LockedBlob, LockedPlatform } from '../release/lock.ts';
import type { Run } from '../shared/run.ts';
import { ManifestUnusable } from './errors.ts';
import type { ImageReader } from './image-reader.ts';
import { lockedBlob } from './locked-blob.ts';

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

/** Indexes in indexes are rare and flat; a deeper nest is a trap. */
const maxIndexDepth = 4;
const tooDeep = `whatever lies in indexes more than ${maxIndexDepth} deep in each other, which are not read`;

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
  return { ...found, target: blob, sparse: found.isSparse || leavesOut(manifest.content, found) };
}

/** True when an index lists something that is not locked. */
function leavesOut(
  index: ImageIndex,
  { platforms, indexes }: Pick<FoundInIndex, 'platforms' | 'indexes'>,
): boolean {
  const locked = new Set<Digest>(platforms.map(({ manifest }) => manifest.digest));
  for (const { digest } of indexes) locked.add(digest);
  return index.manifests.some(({ digest }) => !locked.has(digest));
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
    const read = await readManifest(reader, descriptor, run);
    chosen.push(lockManifest(reader, read, forPlatform(platform)));
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
  const single = { target: blob, sparse: false, indexes: [] };
  const offered = await platformOf(reader, manifest, run);
  if (offered === undefined) {
    const artefact = lockManifest(reader, { manifest, blob }, { kind: 'artefact' });
    return { ...single, platforms: [artefact], missing: [], offered: [] };
  }
  const fits = wanted.filter((platform) => platformMatches(platform, offered));
  return {
    ...single,
    platforms: fits.map((fit) => lockManifest(reader, { manifest, blob }, forPlatform(fit))),
    missing: wanted.filter((platform) => !fits.includes(platform)),
    offered: [formatPlatform(offered)],
  };
}

/** Images that an index lists without a platform: their configs tell. Artefacts count if nothing else fits. */
async function resolveUnmarked(
  reader: ImageReader,
  entries: readonly Descriptor[],
  wanted: readonly Platform[],
  run: Run,
) {
  const images: LockedPlatform[] = [];
  const artefacts: LockedPlatform[] = [];
  const offered: string[] = [];
  let missing = [...wanted];
  for (const entry of entries) {
    if (missing.length === 0) break;
    const read = await readManifest(reader, entry, run);
    const platform = await platformOf(reader, read.manifest, run);
    if (platform === undefined) {
      artefacts.push(lockManifest(reader, read, { kind: 'artefact' }));
      continue;
    }
    offered.push(formatPlatform(platform));
    const fits = missing.filter((want) => platformMatches(want, platform));
    images.push(...fits.map((fit) => lockManifest(reader, read, forPlatform(fit))));
    missing = missing.filter((want) => !fits.includes(want));
  }
  if (missing.length === 0 || artefacts.length === 0)
    return { platforms: images, missing, offered };
  return { platforms: [...images, ...artefacts], missing: [], offered };
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
  if (search.depth >= maxIndexDepth && entries.length > 0) return { ...found, offered: [tooDeep] };
  for (const entry of entries) {
    if (found.missing.length === 0) break;
    const { manifest, blob } = await readManifest(reader, entry, run);
    if (manifest.kind !== 'index') continue;
    const inner = { wanted: found.missing, depth: search.depth + 1 };
    const next = await resolveIndex(reader, manifest.content, inner, run);
    const isUsed = next.platforms.length > 0;
    found = {
      platforms: [...found.platforms, ...next.platforms],
      indexes: [...found.indexes, ...(isUsed ? [blob] : []), ...next.indexes],
      missing: next.missing,
      offered: [...found.offered, ...next.offered],
      isSparse: found.isSparse || next.isSparse || leavesOut(manifest.content, next),
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
    const read = await readManifest(reader, entry, run);
    locked.push(lockManifest(reader, read, { kind: 'attestation' }));
  }
  return locked;
}

/** Always as the Release spells it, so that `linux/arm64/v8` in a config is no other platform. */
function forPlatform(wanted: Platform) {
  return { platform: formatPlatform(wanted) };
}

function lockManifest(
  reader: ImageReader,
  { manifest, blob }: ReadManifest,
  what: Pick<LockedPlatform, 'kind' | 'platform'>,
): LockedPlatform {
  const parts = partsOf(manifest);
  const config = parts.find((part) => part.role === 'config');
  if (config === undefined) {
    const reason = `${blob.digest} is no image: it is ${manifest.mediaType} and has no config`;
    throw new ManifestUnusable({ label: reader.label, reason });
  }
  const foreign = parts.filter((part) => part.role === 'foreign-layer');
  return {
    ...what,
    manifest: blob,
    config: lockedBlob(config.descriptor),
    layers: uniqueBlobs(
      parts.filter((part) => part.role === 'layer').map(({ descriptor }) => descriptor),
    ),
    ...(foreign.length > 0 && {
      foreignLayers: foreign.map(({ descriptor }) => ({
        ...lockedBlob(descriptor),
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
  const where = contentPlace(reader.label, descriptor.digest, 'source');
  const manifest = inPlace(where, () => parseManifest(content.bytes, descriptor.mediaType));
  const { digest, size } = content.descriptor;
  return { manifest, blob: { digest, size, mediaType: manifest.mediaType } };
}

/** The platform that a config states; undefined for artefacts, which run nowhere. */
async function platformOf(
  reader: ImageReader,
  manifest: Manifest,
  run: Run,
): Promise<Platform | undefined> {
  if (manifest.kind !== 'image' || !isImageConfigType(manifest.content.config.mediaType)) {
    return undefined;
  }
  const { config } = manifest.content;
  const { bytes } = await reader.read(config, 'config', run);
  const where = contentPlace(reader.label, config.digest, 'source');
  return inPlace(where, () => platformOfConfig(bytes));
}

function offeredBy(index: ImageIndex): string[] {
  return index.manifests.flatMap(({ platform }) =>
    platform === undefined || platform.os === 'unknown' ? [] : [formatPlatform(platform)],
  );
}

function uniqueBlobs(descriptors: readonly Descriptor[]): LockedBlob[] {
  return [...new Map(descriptors.map((layer) => [layer.digest, lockedBlob(layer)])).values()];
}
