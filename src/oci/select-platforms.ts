/** Picks the images of wanted platforms out of an index. */
import type { Descriptor } from './descriptor.ts';
import type { ImageIndex } from './manifest.ts';
import { isIndexType } from './media-types.ts';
import { type Platform, platformMatches } from './platform.ts';

/** What {@link selectPlatforms} found. */
export interface PlatformChoice {
  /** In the order wanted; two platforms may share one image. */
  readonly chosen: ReadonlyArray<{ readonly platform: Platform; readonly descriptor: Descriptor }>;
  readonly missing: readonly Platform[];
  /** BuildKit's attestations (platform unknown/unknown): statements about images, not images. */
  readonly attestations: readonly Descriptor[];
  /** Indexes inside the index: what is missing may be in there. */
  readonly nested: readonly Descriptor[];
  /** Images listed without a platform: only their config tells what they run on. */
  readonly unmarked: readonly Descriptor[];
}

/**
 * For each wanted platform the image of exactly that variant, else the first that runs there.
 * linux/amd64 and linux/arm64 wanted from an index of amd64 → one chosen, one missing.
 */
export function selectPlatforms(index: ImageIndex, wanted: readonly Platform[]): PlatformChoice {
  const groups = Object.groupBy(index.manifests, groupOf);
  const chosen: Array<{ platform: Platform; descriptor: Descriptor }> = [];
  const missing: Platform[] = [];
  for (const platform of wanted) {
    const descriptor = bestFor(platform, groups.image ?? []);
    if (descriptor === undefined) missing.push(platform);
    else chosen.push({ platform, descriptor });
  }
  return {
    chosen,
    missing,
    attestations: groups.attestation ?? [],
    nested: groups.nested ?? [],
    unmarked: groups.unmarked ?? [],
  };
}

function groupOf(entry: Descriptor): 'image' | 'attestation' | 'nested' | 'unmarked' {
  if (isIndexType(entry.mediaType)) return 'nested';
  if (isAttestation(entry)) return 'attestation';
  return entry.platform === undefined ? 'unmarked' : 'image';
}

/** Source: https://docs.docker.com/build/metadata/attestations/attestation-storage/ */
function isAttestation(entry: Descriptor): boolean {
  if (entry.annotations?.['vnd.docker.reference.type'] === 'attestation-manifest') return true;
  return entry.platform?.os === 'unknown' && entry.platform.architecture === 'unknown';
}

function bestFor(wanted: Platform, entries: readonly Descriptor[]): Descriptor | undefined {
  const fitting = entries.filter(({ platform }) => platform && platformMatches(wanted, platform));
  return fitting.find(({ platform }) => platform?.variant === wanted.variant) ?? fitting[0];
}
