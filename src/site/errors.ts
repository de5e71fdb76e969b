import { defineError } from '../shared/errors.ts';
import type { NameCollision, UpstreamMixture } from './repository-survey.ts';

/** Text that does not name a runtime as `name@version`. */
export const RuntimeIdInvalid = defineError<{ text: string; reason: string }>({
  code: 'RUNTIME_ID_INVALID',
  category: 'usage',
  message: (d) => `"${d.text}" does not name a container runtime: ${d.reason}`,
  fix: () =>
    'Write name@version with all its numbers, such as containerd@2.1.1 or k3s@v1.28.8+k3s1; mirrors lint and mirrors explain take the name alone, too, and then mean every version.',
  retry: false,
});

interface CollisionData {
  readonly registries: readonly string[];
  readonly collisions: readonly NameCollision[];
  readonly mixtures: readonly UpstreamMixture[];
}

/** One name for different images, or a mirror rule that leads to those of another upstream (R0-53). */
export const PublishCollision = defineError<CollisionData>({
  code: 'PUBLISH_COLLISION',
  category: 'refused',
  message: (d) => [...collisionLines(d), ...mixtureLines(d)].join('\n'),
  fix: ({ registries }) => {
    const places = registries.map((name) => `registries.${name}`).join(', ');
    return `Publish with keep-host in place of keep-path in the Site (${places}: publish), which keeps the upstream's host in the name; or send the upstreams to different projects there (projects); or, where a flat name takes part, give one image a flatName in the Release.`;
  },
  retry: false,
});

function collisionLines({ registries, collisions }: CollisionData): string[] {
  if (collisions.length === 0) return [];
  const names = collisions.length === 1 ? '1 name' : `${collisions.length} names`;
  return [
    `${names} in ${inRegistries(registries)} would stand for different images:`,
    ...collisions.flatMap(({ name, images }) => [
      `  ${name}`,
      ...images.map(({ image, digest }) => `      ${image} ${digest}`),
    ]),
  ];
}

function mixtureLines({ registries, mixtures }: CollisionData): string[] {
  if (mixtures.length === 0) return [];
  const which = mixtures.length === 1 ? '1 repository' : `${mixtures.length} repositories`;
  return [
    `${which} in ${inRegistries(registries)} would mix the images of different upstreams:`,
    ...mixtures.flatMap(({ repository, upstreams, asked, got }) => [
      `  ${repository}: who asks for ${asked} would be given ${got}`,
      ...upstreams.map((one) => `      ${one.repository} with ${tagList(one.tags)}`),
    ]),
  ];
}

function tagList(tags: readonly string[]): string {
  const shown = tags.slice(0, 5).join(', ');
  if (tags.length > 5) return `the tags ${shown} and ${tags.length - 5} more`;
  if (tags.length === 0) return 'digests only';
  return tags.length === 1 ? `the tag ${shown}` : `the tags ${shown}`;
}

function inRegistries(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`).join(' and ');
  return names.length === 1 ? `the registry ${quoted}` : `the registries ${quoted}`;
}

/** Images that get no name under a layout that the Site asks for. */
export const PublishNameMissing = defineError<{
  registry: string;
  images: readonly { readonly image: string; readonly reason: string }[];
}>({
  code: 'PUBLISH_NAME_MISSING',
  category: 'refused',
  message: ({ registry, images }) => {
    const lines = images.map(({ image, reason }) => `\n  ${image}  ${reason}`);
    const count = images.length === 1 ? '1 name is' : `${images.length} names are`;
    return `${count} missing in the registry "${registry}":${lines.join('')}`;
  },
  fix: ({ registry }) =>
    `Add the class or the start of the upstream name to registries.${registry}.projects in the Site; where a name is too long, use a shorter flatName or project.`,
  retry: false,
});
