import { didYouMean } from '../documents/suggest.ts';
import { type Platform, parsePlatform, platformMatches } from '../oci/platform.ts';
import {
  formatReference,
  parseReference,
  pullReference,
  type Reference,
  repositoryName,
} from '../oci/reference.ts';
import type { Lock, LockedImage, LockedPlatform } from '../release/lock.ts';
import { ProofPlatformInvalid, ProofPlatformUnknown } from './errors.ts';

/** A manifest that nodes of one platform ask for; an artefact is for nodes of `any`. */
export type RequiredPlatform = LockedPlatform & { readonly platform: string };

/** An image that a node will ask for under this name. */
export interface RequiredImage {
  readonly name: string;
  readonly reference: Reference;
  readonly locked: LockedImage;
  readonly platforms: readonly RequiredPlatform[];
  /** Platforms for which every node needs it, and the Release does not want it. */
  readonly lacking: readonly string[];
  /** Platforms that were asked for and for which the Release does not want this image. */
  readonly unwanted: readonly string[];
}

/** Images of one repository: they share requests, so they are proved together. */
export interface RequiredRepository {
  /** `registry.k8s.io/pause`. */
  readonly name: string;
  readonly images: readonly RequiredImage[];
}

/**
 * The images of a Lock that nodes pull, in its order. Only images: charts are read by the machine
 * that installs them, never by a runtime, and files are not in a registry.
 * PROOF_PLATFORM_INVALID for a platform that is not os/architecture[/variant],
 * PROOF_PLATFORM_UNKNOWN for one that the Lock was not made for.
 */
export function requiredImages(
  lock: Lock,
  platforms: readonly string[] | undefined,
): readonly RequiredImage[] {
  const planned = lock.spec.platforms.map(readPlatform);
  const asked = platforms?.map((text) => {
    const platform = readPlatform(text);
    if (planned.some((one) => platformMatches(platform, one))) return { text, platform };
    const hint = didYouMean(text, lock.spec.platforms);
    throw new ProofPlatformUnknown({ platform: text, planned: lock.spec.platforms, hint });
  });
  return lock.spec.images.map((locked) => ({
    name: locked.name,
    reference: parseReference(locked.name),
    locked,
    ...selectPlatforms(locked, asked),
  }));
}

/** By repository, in the order of first appearance. */
export function byRepository(images: readonly RequiredImage[]): readonly RequiredRepository[] {
  const groups = Map.groupBy(images, ({ reference }) => repositoryName(reference));
  return Array.from(groups, ([name, members]) => ({ name, images: members }));
}

/** An image that the node needs in any case: what the Release does not want for it is missing. */
export function neededAnyway(image: RequiredImage): RequiredImage {
  return { ...image, lacking: [...image.lacking, ...image.unwanted], unwanted: [] };
}

/** How the runtime reads a name; two names with the same text are one image to it. */
export function pulledName(reference: Reference): string {
  return formatReference(pullReference(reference));
}

function readPlatform(text: string): Platform {
  const platform = parsePlatform(text);
  if (platform === undefined) throw new ProofPlatformInvalid({ platform: text });
  return platform;
}

interface AskedPlatform {
  readonly text: string;
  readonly platform: Platform;
}

/** Attestations are not asked for by any node; artefacts run nowhere, so nodes of every kind may. */
function selectPlatforms(
  { platforms }: LockedImage,
  asked: readonly AskedPlatform[] | undefined,
): Pick<RequiredImage, 'platforms' | 'lacking' | 'unwanted'> {
  const artefacts = platforms
    .filter(({ kind }) => kind === 'artefact')
    .map((locked) => ({ ...locked, platform: 'any' }));
  const images = platforms.flatMap((locked) =>
    locked.platform === undefined ? [] : [{ ...locked, platform: locked.platform }],
  );
  const found = (asked ?? []).map((one) => ({
    ...one,
    images: images.filter(({ platform }) => platformMatches(one.platform, readPlatform(platform))),
  }));
  const absent = artefacts.length > 0 ? [] : found.filter((one) => one.images.length === 0);
  const chosen = new Set(found.flatMap((one) => one.images));
  return {
    platforms: [...(asked === undefined ? images : chosen), ...artefacts],
    lacking: [],
    unwanted: absent.map(({ text }) => text),
  };
}
