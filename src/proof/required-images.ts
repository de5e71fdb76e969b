import { type Platform, parsePlatform, platformMatches } from '../oci/platform.ts';
import {
  formatReference,
  parseReference,
  pullReference,
  type Reference,
  repositoryName,
} from '../oci/reference.ts';
import type { Lock, LockedImage, LockedPlatform } from '../release/lock.ts';
import { ProofPlatformInvalid } from './errors.ts';

/** An image that a node will ask for under this name. */
export interface RequiredImage {
  readonly name: string;
  readonly reference: Reference;
  readonly locked: LockedImage;
  readonly platforms: readonly LockedPlatform[];
  /** Platforms that were asked for and that the Lock does not have of it. */
  readonly lacking: readonly string[];
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
 * PROOF_PLATFORM_INVALID for a platform that is not os/architecture[/variant].
 */
export function requiredImages(
  lock: Lock,
  platforms: readonly string[] | undefined,
): readonly RequiredImage[] {
  const wanted = platforms?.map((text) => ({ text, platform: readPlatform(text) }));
  return lock.spec.images.map((locked) => ({
    name: locked.name,
    reference: parseReference(locked.name),
    locked,
    ...selectPlatforms(locked, wanted),
  }));
}

/** By repository, in the order of first appearance. */
export function byRepository(images: readonly RequiredImage[]): readonly RequiredRepository[] {
  const groups = Map.groupBy(images, ({ reference }) => repositoryName(reference));
  return Array.from(groups, ([name, members]) => ({ name, images: members }));
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

function selectPlatforms(
  { platforms }: LockedImage,
  wanted: readonly { readonly text: string; readonly platform: Platform }[] | undefined,
): Pick<RequiredImage, 'platforms' | 'lacking'> {
  if (wanted === undefined) return { platforms, lacking: [] };
  const offered = platforms.map((locked) => ({ locked, platform: readPlatform(locked.platform) }));
  const isWanted = ({ platform }: { platform: Platform }) =>
    wanted.some((one) => platformMatches(one.platform, platform));
  return {
    platforms: offered.filter(isWanted).map(({ locked }) => locked),
    lacking: wanted
      .filter((one) => !offered.some(({ platform }) => platformMatches(one.platform, platform)))
      .map(({ text }) => text),
  };
}
