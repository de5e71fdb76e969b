import type { Digest } from '../oci/digest.ts';
import type { StaticRepository } from '../registry/server/static-registry.ts';
import type { Lock } from '../release/lock.ts';
import { planPublication } from '../site/publication.ts';
import type { NamingRegistry } from '../site/published-names.ts';
import { bundleItems } from './bundle-items.ts';

/**
 * What a registry over a bundle serves: the repositories that loading it into `registry` would make,
 * sorted by name. `{ address: '127.0.0.1:5000' }` → every image under its own path.
 *
 * `registryName` is for messages. Throws PUBLISH_COLLISION, PUBLISH_NAME_MISSING.
 */
export function bundleRepositories(
  lock: Lock,
  registryName: string,
  registry: NamingRegistry,
): readonly StaticRepository[] {
  const mediaTypes = lockedMediaTypes(lock);
  const entries = planPublication(bundleItems(lock), registryName, registry).flatMap(
    ({ image, names }) => names.map(({ repository, tag }) => ({ repository, tag, image })),
  );
  const groups = Map.groupBy(entries, ({ repository }) => repository);
  return [...groups.keys()].sort().map((repository) => {
    const members = groups.get(repository) ?? [];
    const tags = members.flatMap(({ tag, image }) =>
      tag === undefined ? [] : [[tag, image.target] as const],
    );
    const digests = members.flatMap(({ image }) => [image.target, ...image.manifests]);
    return { repository, tags: Object.fromEntries(tags), digests, mediaTypes };
  });
}

/** How each manifest was sent when the Lock was made; some manifests do not say it themselves. */
function lockedMediaTypes({ spec }: Lock): ReadonlyMap<Digest, string> {
  const manifests = [
    ...spec.images.flatMap(({ target, indexes = [], platforms }) => [
      target,
      ...indexes,
      ...platforms.map(({ manifest }) => manifest),
    ]),
    ...spec.charts.map(({ manifest }) => manifest),
  ];
  return new Map(manifests.map(({ digest, mediaType }) => [digest, mediaType]));
}
