/** The name under which the rules of a registry are looked up. */

import { HUB, isHub } from '../../oci/docker-hub.ts';

/** What images have in their names instead: `https://docker.io` → `docker.io`; undefined for a key that can be looked up. */
export function rightName(name: string): string | undefined {
  if (name === '*') return undefined;
  const bare = name.replace(/^[a-z]+:\/\//i, '');
  const [host = ''] = bare.split('/', 1);
  if (isHub(host) && host !== HUB) return HUB;
  return host === name ? undefined : host;
}

/** Why no image is looked up under a key that has a {@link rightName}. */
export function whyNeverFound(name: string): string {
  if (name.includes('://')) return 'names of images have no scheme';
  if (name.includes('/')) return 'a key is a registry, without any path';
  return 'images of Docker Hub are always looked up as docker.io';
}
