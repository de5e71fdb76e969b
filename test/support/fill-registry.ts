/** Puts the images of a sample Lock into a test's registry, past the protocol: logins and TLS do not matter. */
import { parseReference } from '../../src/oci/reference.ts';
import type { LockedBlob, LockedImage } from '../../src/release/lock.ts';
import { startRun } from '../../src/shared/run.ts';
import type { SampleLock } from './sample-lock.ts';
import type { TestRegistry } from './start-registry.ts';

/** What stays away from the registry. */
export interface FillOptions {
  /** The path in front of every repository: `platform`. */
  readonly project?: string;
}

/** Every image of the sample under its own path and tag (layout keep-path). */
export async function fillRegistry(
  registry: TestRegistry,
  sample: SampleLock,
  options: FillOptions = {},
): Promise<void> {
  for (const image of sample.lock.spec.images) await fillImage(registry, sample, image, options);
}

/** The repository under which an image of the sample lies: `platform/openfuyao/app`. */
export function repositoryOf(image: string, { project }: FillOptions = {}): string {
  const { path } = parseReference(image);
  return project === undefined ? path : `${project}/${path}`;
}

async function fillImage(
  registry: TestRegistry,
  sample: SampleLock,
  image: LockedImage,
  options: FillOptions,
): Promise<void> {
  const { tag } = parseReference(image.name);
  const repository = repositoryOf(image.name, options);
  const { repositories } = registry;
  const manifests = [...image.platforms.map(({ manifest }) => manifest), image.target];
  const blobs = image.platforms.flatMap(({ config, layers }) => [config, ...layers]);
  for (const blob of [...blobs, ...manifests]) await putBlob(registry, sample, blob);
  for (const { digest } of blobs) await repositories.linkBlob(repository, digest);
  for (const descriptor of manifests) await repositories.putManifest(repository, { descriptor });
  if (tag !== undefined) await repositories.setTag(repository, tag, image.target.digest);
}

async function putBlob(registry: TestRegistry, sample: SampleLock, blob: LockedBlob) {
  const bytes = sample.blobs.get(blob.digest);
  if (bytes === undefined) throw new Error(`the sample has no ${blob.digest}`);
  await registry.store.put(blob, one(bytes), startRun());
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}
