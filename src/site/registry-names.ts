import { formatReference } from '../oci/reference.ts';
import { addressSeenFrom, type SeenRegistry } from './addresses.ts';
import {
  type NamedImage,
  type NamingRegistry,
  type PublishedName,
  publishedNames,
} from './published-names.ts';

/** A name under which nodes find an image in a registry of the Site. */
export interface RegistryName extends PublishedName {
  readonly scheme: 'http' | 'https';
  /** host[:port] as nodes write it. */
  readonly host: string;
}

/** Says under which hosts nodes see a registry. */
export type HostsOf = (registry: SeenRegistry) => readonly string[];

/**
 * Every name of an image in the registries of a Site, under each of their hosts:
 * `registry.k8s.io/pause:3.9` behind `harbor.example/platform` → `harbor.example`, `platform/pause`, `3.9`.
 */
export function registryNames(
  registries: Iterable<SeenRegistry & NamingRegistry>,
  image: NamedImage,
  hostsOf: HostsOf = hostForNodes,
): readonly RegistryName[] {
  return [...registries].flatMap((registry) => {
    const { scheme } = addressSeenFrom(registry, 'nodes');
    const { names } = publishedNames(image, registry);
    return hostsOf(registry).flatMap((host) => names.map((name) => ({ ...name, scheme, host })));
  });
}

function hostForNodes(registry: SeenRegistry): readonly string[] {
  return [addressSeenFrom(registry, 'nodes').host];
}

/** The same as text: `harbor.example/platform/pause:3.9`. */
export function formatRegistryName({ host, repository, tag, digest }: RegistryName): string {
  return formatReference({
    domain: host,
    path: repository,
    ...(tag && { tag }),
    ...(digest && { digest }),
  });
}
