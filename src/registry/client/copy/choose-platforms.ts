/** Which part of an index to copy when only some platforms are wanted. */
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { ImageIndex } from '../../../oci/manifest.ts';
import { formatPlatform, type Platform } from '../../../oci/platform.ts';
import { selectPlatforms } from '../../../oci/select-platforms.ts';
import { IndexPlatformMissing } from './errors.ts';
import { at } from './failures.ts';
import { type FetchedManifest, fetchListed } from './fetch-manifest.ts';
import type { ImageCopy } from './image-copy.ts';

/** The platforms to copy; undefined for all. */
export type Wanted = readonly Platform[] | undefined;

/** An entry of an index, and what is wanted of it if it is an index itself. */
export interface ChosenEntry {
  readonly descriptor: Descriptor;
  readonly wanted: Wanted;
}

/**
 * All entries of an index, or the images of the wanted platforms. What is not listed may be in a
 * nested index, which is looked into, or in an image without a platform, which comes along.
 * Attestations are left out with a subset: they are about images, not images.
 */
export async function chooseEntries(
  copy: ImageCopy,
  index: ImageIndex,
  wanted: Wanted,
): Promise<readonly ChosenEntry[]> {
  if (wanted === undefined)
    return unique(index.manifests).map((descriptor) => ({ descriptor, wanted }));
  const { chosen, missing, nested, unmarked } = selectPlatforms(index, wanted);
  const images = chosen.map((one) => one.descriptor);
  const perhaps = missing.length === 0 ? [] : unmarked;
  const entries = unique([...images, ...perhaps]).map((descriptor) => ({ descriptor, wanted }));
  for (const descriptor of missing.length === 0 ? [] : unique(nested)) {
    const absent = await missingIn(copy, await fetchListed(copy, descriptor), missing);
    const here = missing.filter((platform) => !absent.includes(platform));
    if (here.length > 0) entries.push({ descriptor, wanted: here });
  }
  return entries;
}

/** Rejects with INDEX_PLATFORM_MISSING if a wanted platform is nowhere in the index. */
export async function requirePlatforms(copy: ImageCopy, fetched: FetchedManifest): Promise<void> {
  const { platforms, source } = copy.job;
  if (platforms === undefined || fetched.manifest.kind !== 'index') return;
  const { content } = fetched.manifest;
  const absent = await missingIn(copy, fetched, platforms);
  if (absent.length === 0) return;
  const { digest } = fetched.content.descriptor;
  await at({ side: 'source', label: source.label, object: digest }, () => {
    const missing = absent.map(formatPlatform);
    throw new IndexPlatformMissing({
      label: source.label,
      digest,
      missing,
      offered: offeredBy(content),
    });
  });
}

async function missingIn(
  copy: ImageCopy,
  { manifest }: FetchedManifest,
  wanted: readonly Platform[],
): Promise<readonly Platform[]> {
  if (manifest.kind !== 'index') return wanted;
  const choice = selectPlatforms(manifest.content, wanted);
  // Images without a platform may run anywhere: only their config would tell.
  if (choice.unmarked.length > 0) return [];
  let missing: readonly Platform[] = choice.missing;
  for (const nested of choice.nested) {
    if (missing.length === 0) break;
    missing = await missingIn(copy, await fetchListed(copy, nested), missing);
  }
  return missing;
}

function offeredBy(index: ImageIndex): readonly string[] {
  return index.manifests.flatMap(({ platform }) => (platform ? [formatPlatform(platform)] : []));
}

function unique(descriptors: readonly Descriptor[]): readonly Descriptor[] {
  return [...new Map(descriptors.map((one) => [one.digest, one])).values()];
}
