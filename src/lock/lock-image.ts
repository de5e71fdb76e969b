import type { Descriptor } from '../oci/descriptor.ts';
import { formatPlatform, isSamePlatform, type Platform, parsePlatform } from '../oci/platform.ts';
import type { LockedBlob, LockedImage, LockedPlatform } from '../release/lock.ts';
import { blobsOfImage } from '../release/locked-blobs.ts';
import type { Run } from '../shared/run.ts';
import { cachedReader } from './image-reader.ts';
import { firstReason, type PlannedImage } from './planned-items.ts';
import type { PlanPorts } from './ports.ts';
import { orFailed, type Resolution, refused, resolved } from './resolution.ts';
import { type ResolvedImage, resolveImage } from './resolve-image.ts';

/** What is known before a registry is asked. */
export interface ImageContext {
  /** The Release's platforms; an image may want fewer. */
  readonly platforms: readonly string[];
  /** The image in the earlier Lock, if it was there. */
  readonly earlier: LockedImage | undefined;
}

/** Resolves one image to its locked form; asks for nothing that the earlier Lock knows. */
export function lockImage(
  planned: PlannedImage,
  context: ImageContext,
  ports: PlanPorts,
  run: Run,
): Promise<Resolution<LockedImage>> {
  const { wanted } = planned;
  return orFailed(firstReason(wanted), wanted.name, async () => {
    const platforms = wantedPlatforms(planned, context);
    const reader = cachedReader(ports.sourceOf(planned.source), ports.cache);
    const target = await reader.resolve(
      planned.source.reference,
      context.earlier !== undefined,
      run,
    );
    const known = reusable(context.earlier, target, platforms);
    if (known !== undefined) return resolved(describe(planned, known));
    const found = await resolveImage(reader, target, platforms, run);
    if (found.missing.length > 0) return lacksPlatforms(planned, found);
    return withinSize(planned, describe(planned, found));
  });
}

/** 8 TiB. The sum of a thousand such images is still counted exactly. */
const largestImageBytes = 2 ** 43;

/** The image, unless its own manifests give sizes that no image has: they are only claims until now. */
function withinSize({ wanted }: PlannedImage, image: LockedImage): Resolution<LockedImage> {
  const bytes = blobsOfImage(image).reduce((sum, { size }) => sum + size, 0);
  if (bytes <= largestImageBytes) return resolved(image);
  const problem = {
    code: 'IMAGE_SIZE_IMPOSSIBLE',
    message: `${wanted.name}: its manifests name ${bytes} bytes, and no image has more than ${largestImageBytes}`,
    hint: 'the image is damaged where it lies; have it pushed again, or take it from another source',
  };
  return refused(firstReason(wanted), problem, 'remote');
}

/** The same without any registry: the earlier Lock must know the image (`plan --offline`). */
export function lockImageOffline(
  planned: PlannedImage,
  context: ImageContext,
): Resolution<LockedImage> {
  const { earlier } = context;
  const { digest = earlier?.target.digest } = planned.wanted.reference;
  const known = digest && reusable(earlier, { digest }, wantedPlatforms(planned, context));
  if (known) return resolved(describe(planned, known));
  return refused(firstReason(planned.wanted), {
    code: 'LOCK_LACKS_IMAGE',
    message: `${planned.wanted.name} is not in the earlier Lock for all wanted platforms`,
    hint: 'plan once where the registries can be reached, without --offline',
  });
}

/** True when a tag says nothing about a version, so that it will point elsewhere soon: `latest`, `main`. */
export function isMovingTag(tag: string | undefined, digest: string | undefined): boolean {
  return digest === undefined && !/\d/.test(tag ?? 'latest');
}

function wantedPlatforms(planned: PlannedImage, context: ImageContext): Platform[] {
  const names = planned.wanted.platforms ?? context.platforms;
  return names.flatMap((name) => parsePlatform(name) ?? []);
}

/** What a registry or an earlier Lock knows of an image. */
type ImageShape = Pick<ResolvedImage, 'target' | 'sparse' | 'platforms'> & {
  readonly indexes?: readonly LockedBlob[] | undefined;
};

/** The earlier entry, if the tag still points there and it holds exactly the wanted platforms. */
function reusable(
  earlier: LockedImage | undefined,
  target: Pick<Descriptor, 'digest'>,
  wanted: readonly Platform[],
): ImageShape | undefined {
  if (earlier === undefined || earlier.target.digest !== target.digest) return undefined;
  const platforms = respelled(earlier.platforms, wanted);
  return platforms === undefined ? undefined : { ...earlier, platforms };
}

/** What is held, in the wanted spelling; undefined unless it is exactly what a new plan would lock. */
function respelled(
  held: readonly LockedPlatform[],
  wanted: readonly Platform[],
): LockedPlatform[] | undefined {
  const images = held.flatMap((locked) => {
    const platform = parsePlatform(locked.platform ?? '');
    return platform === undefined ? [] : [{ locked, platform }];
  });
  const found = wanted.flatMap((want) => {
    const image = images.find(({ platform }) => isSamePlatform(want, platform));
    return image === undefined ? [] : [{ ...image.locked, platform: formatPlatform(want) }];
  });
  const areAllWanted = images.every(({ platform }) =>
    wanted.some((want) => isSamePlatform(want, platform)),
  );
  // Artefacts stand for the platforms that no image is made for, and only for them.
  const needsArtefact = found.length < wanted.length;
  const hasArtefact = held.some(({ kind }) => kind === 'artefact');
  if (!areAllWanted || needsArtefact !== hasArtefact) return undefined;
  return [...found, ...held.filter(({ platform }) => platform === undefined)];
}

function describe(planned: PlannedImage, shape: ImageShape): LockedImage {
  const { wanted, placement, source } = planned;
  const { indexes = [] } = shape;
  return {
    name: wanted.name,
    ...(wanted.flatName !== undefined && { flatName: wanted.flatName }),
    class: placement.class,
    ...(wanted.licence !== undefined && { licence: wanted.licence }),
    redistribution: placement.redistribution,
    ...(placement.because !== undefined && { redistributionBecause: placement.because }),
    ...(wanted.feature !== undefined && { feature: wanted.feature }),
    source,
    movingTag: isMovingTag(wanted.reference.tag, wanted.reference.digest),
    target: shape.target,
    sparse: shape.sparse,
    ...(indexes.length > 0 && { indexes: [...indexes] }),
    platforms: [...shape.platforms],
    reasons: [...wanted.reasons],
  };
}

function lacksPlatforms(planned: PlannedImage, found: ResolvedImage): Resolution<never> {
  const missing = found.missing.map(formatPlatform).join(', ');
  const offered = [...new Set(found.offered)].join(', ');
  return refused(firstReason(planned.wanted), {
    code: 'IMAGE_PLATFORM_MISSING',
    message: `${planned.wanted.name} is not made for ${missing}; it is there for ${offered || 'no platform'}`,
    hint: 'leave the platform out of the Release, or give this image its own "platforms"',
  });
}
