import { formatReference } from '../oci/reference.ts';
import { PublishCollision, PublishNameMissing } from './errors.ts';
import {
  type NamingRegistry,
  type PublishableImage,
  type PublishedName,
  publishedNames,
} from './published-names.ts';
import { type SharedRepository, surveyRepositories } from './repository-survey.ts';

/** An image with all names that it gets in a registry. */
export interface Publication<Image> {
  readonly image: Image;
  readonly names: readonly PublishedName[];
}

/**
 * Decides the names of images in one registry, before the first byte moves.
 *
 * Throws what {@link checkPublication} throws, and PUBLISH_NAME_MISSING with all images that have no
 * name under a wanted layout. `registryName` is the name in the Site, for messages.
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
  checkPublication(images, { [registryName]: registry });
  return planned.map(({ image, names }) => ({ image, names }));
}

/**
 * Makes sure that nobody can get another image than the one asked for (R0-53), looking at all
 * registries together, since two of them may be projects of one host.
 *
 * Throws PUBLISH_COLLISION with all names that would stand for two digests, and all repositories in
 * which a mirror rule would find the images of another upstream; `docker.io/x/y:1` and
 * `quay.io/x/y:2` under `keep-path` are such, since `docker.io/x/y:2` would then be quay.io's. Gives
 * the repositories that several upstreams share without harm.
 */
export function checkPublication(
  images: readonly PublishableImage[],
  registries: Readonly<Record<string, NamingRegistry>>,
): readonly SharedRepository[] {
  const { collisions, mixtures, shared } = surveyRepositories(images, Object.values(registries));
  if (collisions.length + mixtures.length === 0) return shared;
  throw new PublishCollision({ registries: Object.keys(registries), collisions, mixtures });
}
