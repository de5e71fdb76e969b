import type { Descriptor } from '../../oci/descriptor.ts';
import type { RepositoryLister } from './ports.ts';

/**
 * What garbage collection has to keep for a registry: every manifest of every repository, each
 * digest once. `collectGarbage(store, { roots: await garbageRoots(repositories) }, run)`.
 *
 * A blob that no manifest names goes, although a repository still holds a link to it; a pull of it
 * then answers 404. Collect while nobody pushes, or with a grace of an hour and more.
 */
export async function garbageRoots(repositories: RepositoryLister): Promise<readonly Descriptor[]> {
  const roots = new Map<string, Descriptor>();
  for (const repository of await repositories.repositories()) {
    for (const descriptor of await repositories.manifests(repository)) {
      roots.set(descriptor.digest, descriptor);
    }
  }
  return [...roots.values()];
}
