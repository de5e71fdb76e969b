import { defineError } from '../shared/errors.ts';

/** Text that does not name a runtime as `name@version`. */
export const RuntimeIdInvalid = defineError<{ text: string; reason: string }>({
  code: 'RUNTIME_ID_INVALID',
  category: 'input',
  message: (d) => `"${d.text}" does not name a container runtime: ${d.reason}`,
  fix: () => 'Write name@version, such as containerd@2.1.1 or k3s@v1.28.8+k3s1.',
  retry: false,
});

/** Different images would get one name in a registry (R0-53); found before any byte moves. */
export const PublishCollision = defineError<{
  registry: string;
  /** `name` is `harbor.example/platform/x/y:1`. */
  collisions: readonly {
    readonly name: string;
    readonly images: readonly { readonly image: string; readonly digest: string }[];
  }[];
}>({
  code: 'PUBLISH_COLLISION',
  category: 'refused',
  message: ({ registry, collisions }) => {
    const lines = collisions.map(
      ({ name, images }) =>
        `\n  ${name}${images.map(({ image, digest }) => `\n      ${image} ${digest}`).join('')}`,
    );
    const names = collisions.length === 1 ? '1 name' : `${collisions.length} names`;
    return `${names} in the registry "${registry}" would stand for different images:${lines.join('')}`;
  },
  fix: ({ registry }) =>
    `Publish with keep-host in the Site (registries.${registry}.publish), which keeps the upstream's host in the name; or, where only the flat name collides, give one image a flatName in the Release; or send them to different projects (registries.${registry}.projects).`,
  retry: false,
});

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
