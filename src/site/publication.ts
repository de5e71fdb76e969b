import type { Digest } from '../oci/digest.ts';
import { formatReference } from '../oci/reference.ts';
import { compareText } from '../shared/json.ts';
import { parseAddress } from './addresses.ts';
import { PublishCollision, PublishNameMissing } from './errors.ts';
import {
  type NamedImage,
  type NamingRegistry,
  type PublishedName,
  publishedNames,
} from './published-names.ts';

/** An image that is to be published, with the digest of what its name points to. */
export interface PublishableImage extends NamedImage {
  readonly target: Digest;
}

/** An image with all names that it gets in a registry. */
export interface Publication<Image> {
  readonly image: Image;
  readonly names: readonly PublishedName[];
}

/**
 * Decides the names of all images in one registry, before the first byte moves.
 *
 * Throws PUBLISH_COLLISION if a name would stand for two digests (one digest under one name twice
 * is fine), PUBLISH_NAME_MISSING if an image has no name under a wanted layout; each lists all.
 * `registryName` is the name in the Site, for messages.
 */
export function planPublication<Image extends PublishableImage>(
  images: readonly Image[],
  registryName: string,
  registry: NamingRegistry,
): readonly Publication<Image>[] {
  const planned = images.map((image) => ({ image, ...publishedNames(image, registry) }));
  const missing = planned.flatMap(({ image, nameless }) =>
    nameless.map(({ layout, reason }) => ({
      image: formatReference(image.reference),
      reason: `${layout}: ${reason}`,
    })),
  );
  if (missing.length > 0) throw new PublishNameMissing({ registry: registryName, images: missing });
  const collisions = findCollisions(planned, registry);
  if (collisions.length > 0) throw new PublishCollision({ registry: registryName, collisions });
  return planned.map(({ image, names }) => ({ image, names }));
}

/** All tagged names that stand for more than one digest, by name; digests cannot collide. */
function findCollisions(
  publications: readonly Publication<PublishableImage>[],
  registry: NamingRegistry,
) {
  const holders = new Map<string, PublishableImage[]>();
  for (const { image, names } of publications) {
    for (const { repository, tag } of names) {
      if (tag === undefined) continue;
      const name = `${repository}:${tag}`;
      const others = holders.get(name);
      if (others === undefined) holders.set(name, [image]);
      else others.push(image);
    }
  }
  const host = parseAddress(registry.address)?.host ?? registry.address;
  return [...holders]
    .filter(([, images]) => new Set(images.map((image) => image.target)).size > 1)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, images]) => ({ name: `${host}/${name}`, images: images.map(describeImage) }));
}

function describeImage(image: PublishableImage) {
  return { image: formatReference(image.reference), digest: image.target };
}
