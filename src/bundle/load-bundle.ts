import { imageLayoutSource } from '../content/layout-images.ts';
import type { ImageSource, ImageTarget } from '../content/ports.ts';
import type { Digest } from '../oci/digest.ts';
import { copyImages } from '../registry/client/copy/copy-images.ts';
import type { CopyJob, CopyResult, Rewrite } from '../registry/client/copy/copy-job.ts';
import type { Random } from '../shared/ports.ts';
import type { Run } from '../shared/run.ts';
import { checkPublication, type Publication, planPublication } from '../site/publication.ts';
import type { NamingRegistry, PublishedName } from '../site/published-names.ts';
import type { SharedRepository } from '../site/repository-survey.ts';
import { type BundleItem, bundleItems } from './bundle-items.ts';
import { LoadFailed, LoadNothingMatches } from './errors.ts';
import { groupFailures } from './failure-groups.ts';
import type { OpenBundle } from './open-bundle.ts';

/** What to load, and under which names. */
export interface LoadRequest {
  readonly bundle: OpenBundle;
  /** The registry's name in the Site, for messages, and how it names images. */
  readonly registryName: string;
  readonly registry: NamingRegistry;
  /** Parts of names; an image that has none of them is left out. Empty: everything. */
  readonly only: readonly string[];
  /** What to do where the registry takes no index with missing platforms (promise P1). */
  readonly onSparseRefused: 'fail' | 'rewrite';
  /** Ask for every blob again, to repair a registry that has lost some. */
  readonly recheckBlobs: boolean;
  /** Spreads the repeats of broken transfers. */
  readonly random: Random;
}

/** What a load did. */
export interface LoadReport {
  readonly images: number;
  readonly charts: number;
  readonly names: number;
  readonly sentBytes: number;
  readonly mountedBytes: number;
  /** Names that were set; empty when everything was there. */
  readonly changed: readonly {
    readonly name: string;
    readonly before?: Digest;
    readonly now: Digest;
  }[];
  /** Indexes that had to be written anew, old → new digest, each with its name. */
  readonly rewrites: readonly (Rewrite & { readonly name: string })[];
  /** Repositories that hold images of several upstreams, without harm (see repository-survey.ts). */
  readonly shared: readonly SharedRepository[];
}

/**
 * Sends a bundle into a registry, each image under every name of the registry's `publish` list, each blob
 * once: under the second name it is mounted. What is there already is not sent again (promise P4).
 *
 * `targetOf` gives the repository by its full path. Rejects with PUBLISH_COLLISION or PUBLISH_NAME_MISSING
 * before anything moves; with LOAD_FAILED after everything else was loaded.
 */
export async function loadBundle(
  request: LoadRequest,
  targetOf: (repository: string) => ImageTarget,
  run: Run,
): Promise<LoadReport> {
  const { registryName, registry } = request;
  // All of the bundle, also with --only: the rest of it may be there already, or come later.
  const shared = checkPublication(bundleItems(request.bundle.lock), { [registryName]: registry });
  const publications = planPublication(chosenItems(request), registryName, registry);
  const source = bundleSource(request.bundle);
  const homes = homesOf(publications);
  const homeOf = (digest: Digest) => {
    const repository = homes.get(digest);
    return repository === undefined ? undefined : targetOf(repository);
  };
  const jobs = publications.flatMap(({ image, names }) =>
    names.map((name) => ({ ...jobOf(image, name, targetOf), source, homeOf })),
  );
  const { random, onSparseRefused, recheckBlobs } = request;
  const result = await copyImages(jobs, { random, onSparseRefused, recheckBlobs }, run);
  failOnAny(result, request.registryName);
  return { ...reportOf(publications, result), shared };
}

function chosenItems({ bundle, only }: LoadRequest): BundleItem[] {
  const chosen = bundleItems(bundle.lock).filter(
    ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
  );
  if (chosen.length === 0 && only.length > 0) {
    throw new LoadNothingMatches({ bundle: bundle.path, only });
  }
  return chosen;
}

/** All images of a bundle by digest; the same blobs stand behind every repository. */
function bundleSource(bundle: OpenBundle): ImageSource {
  return imageLayoutSource({ label: bundle.path, store: bundle.blobs, index: new Map() });
}

/**
 * For every blob the first repository that needs it. It is sent there and mounted elsewhere, so the
 * next run after a kill knows which repository to ask (promise P4).
 */
function homesOf(publications: readonly Publication<BundleItem>[]): ReadonlyMap<Digest, string> {
  const homes = new Map<Digest, string>();
  for (const { image, names } of publications) {
    const [first] = names;
    if (first === undefined) continue;
    for (const digest of image.blobs) {
      if (!homes.has(digest)) homes.set(digest, first.repository);
    }
  }
  return homes;
}

function jobOf(
  image: BundleItem,
  name: PublishedName,
  targetOf: (repository: string) => ImageTarget,
): Omit<CopyJob, 'source'> {
  return {
    reference: image.target,
    target: targetOf(name.repository),
    tags: name.tag === undefined ? [] : [name.tag],
    manifests: image.manifests,
  };
}

function failOnAny({ images }: CopyResult, registryName: string): void {
  const failed = images.filter((outcome) => outcome.kind === 'failed');
  if (failed.length === 0) return;
  const failures = failed.flatMap((outcome) =>
    outcome.failures.map(({ error }) => ({ name: nameOf(outcome.job), error })),
  );
  throw new LoadFailed({
    registry: registryName,
    failed: failed.length,
    of: images.length,
    groups: groupFailures(failures),
  });
}

function nameOf({ target, tags, reference }: CopyJob): string {
  const [tag] = tags;
  return tag === undefined ? `${target.label}@${reference}` : `${target.label}:${tag}`;
}

function reportOf(
  publications: readonly Publication<BundleItem>[],
  { images, totals }: CopyResult,
): Omit<LoadReport, 'shared'> {
  const done = images.filter((outcome) => outcome.kind === 'done');
  return {
    images: publications.filter(({ image }) => image.kind === 'image').length,
    charts: publications.filter(({ image }) => image.kind === 'chart').length,
    names: done.length,
    sentBytes: totals.copied.bytes,
    mountedBytes: totals.mounted.bytes,
    changed: done.flatMap(({ job, tagChanges }) =>
      tagChanges.map(({ tag, ...change }) => ({ name: `${job.target.label}:${tag}`, ...change })),
    ),
    rewrites: done.flatMap(({ job, rewrites }) =>
      rewrites.map((rewrite) => ({ name: nameOf(job), ...rewrite })),
    ),
  };
}
