import { HUB, HUB_INDEX, isHub } from '../oci/docker-hub.ts';

/**
 * The registry behind a key of a login file: `https://index.docker.io/v1/` → `docker.io`,
 * `https://harbor.local:5000/v2/` → `harbor.local:5000`, `quay.io/team` → `quay.io/team`.
 */
export function normalizeKey(key: string): string {
  const bare = key.replace(/^https?:\/\//i, '').replace(/\/+$/, '');
  const [host = '', ...path] = bare.replace(/\/v[12]$/, '').split('/');
  const registry = isHub(host) ? HUB : host.toLowerCase();
  return [registry, ...path].join('/');
}

/** Keys that serve a registry or repository, longest first: `a/b/c` → `a/b/c`, `a/b`, `a`. */
export function candidateKeys(registry: string): readonly string[] {
  const parts = normalizeKey(registry).split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

/** The name under which docker keeps a registry's login in a helper. */
export function helperKey(key: string): string {
  return key === HUB ? `https://${HUB_INDEX}/v1/` : key;
}
