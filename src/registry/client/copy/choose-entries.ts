/** Which entries of an index to copy when only a part of it is wanted. */
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { Digest } from '../../../oci/digest.ts';
import type { ImageIndex } from '../../../oci/manifest.ts';
import type { Platform } from '../../../oci/platform.ts';
import { selectPlatforms } from '../../../oci/select-platforms.ts';
import type { CopyJob } from './copy-job.ts';
import { fetchListed } from './fetch-manifest.ts';
import type { ImageCopy } from './image-copy.ts';
import { missingIn } from './require-entries.ts';

/** What is wanted of an index. */
export type Wanted =
  | { readonly by: 'everything' }
  | { readonly by: 'digest'; readonly digests: ReadonlySet<Digest> }
  | { readonly by: 'platform'; readonly platforms: readonly Platform[] };

/** An entry of an index, and what is wanted of it if it is an index itself. */
export interface ChosenEntry {
  readonly descriptor: Descriptor;
  readonly wanted: Wanted;
}

/** `{ platforms: [linux/amd64] }` → `{ by: 'platform', … }`; manifests are more exact, so they win. */
export function wantedOf({ manifests, platforms }: CopyJob): Wanted {
  if (manifests !== undefined) return { by: 'digest', digests: manifests };
  if (platforms !== undefined) return { by: 'platform', platforms };
  return { by: 'everything' };
}

/**
 * The entries of an index that are wanted, each digest once. A platform that is not listed may be
 * in a nested index, which is looked into, or in an image without a platform, which comes along.
 * Attestations are left out with a subset of platforms: they are about images, not images.
 */
export async function chooseEntries(
  copy: ImageCopy,
  index: ImageIndex,
  wanted: Wanted,
): Promise<readonly ChosenEntry[]> {
  const all = unique(index.manifests);
  switch (wanted.by) {
    case 'everything':
      return all.map((descriptor) => ({ descriptor, wanted }));
    case 'digest':
      return all
        .filter(({ digest }) => wanted.digests.has(digest))
        .map((descriptor) => ({ descriptor, wanted }));
    case 'platform':
      return choosePlatforms(copy, index, wanted.platforms);
  }
}

async function choosePlatforms(
  copy: ImageCopy,
  index: ImageIndex,
  platforms: readonly Platform[],
): Promise<readonly ChosenEntry[]> {
  const { chosen, missing, nested, unmarked } = selectPlatforms(index, platforms);
  const images = chosen.map((one) => one.descriptor);
  const perhaps = missing.length === 0 ? [] : unmarked;
  const entries: ChosenEntry[] = unique([...images, ...perhaps]).map((descriptor) => ({
    descriptor,
    wanted: { by: 'platform', platforms },
  }));
  for (const descriptor of missing.length === 0 ? [] : unique(nested)) {
    const absent = await missingIn(copy, await fetchListed(copy, descriptor), missing);
    const here = missing.filter((platform) => !absent.includes(platform));
    if (here.length > 0) entries.push({ descriptor, wanted: { by: 'platform', platforms: here } });
  }
  return entries;
}

function unique(descriptors: readonly Descriptor[]): readonly Descriptor[] {
  return [...new Map(descriptors.map((one) => [one.digest, one])).values()];
}
