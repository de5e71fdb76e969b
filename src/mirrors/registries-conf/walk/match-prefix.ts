/** Which table of registries.conf is for a name. Source: pkg/sysregistriesv2, refMatchingPrefix and FindRegistry. */

import type { ConfiguredRegistry } from '../read/registries-types.ts';

/**
 * How many characters of a name a prefix stands for, -1 when it does not match: `docker.io/library` of
 * `docker.io/library/nginx` → 17; `*.example.com` of `a.b.example.com/x` → 15. A prefix without a port
 * matches every port.
 */
export function matchLength(name: string, prefix: string): number {
  if (prefix.startsWith('*.')) return matchSubdomain(name, prefix.slice(1));
  if (!name.startsWith(prefix)) return -1;
  return isBoundary(name, prefix.length) ? prefix.length : -1;
}

/** The domain may stand anywhere before the first slash, but only its first place in the name counts. */
function matchSubdomain(name: string, domain: string): number {
  const at = name.indexOf(domain);
  if (at === -1 || name.slice(0, at).includes('/')) return -1;
  const end = at + domain.length;
  return isBoundary(name, end) ? end : -1;
}

function isBoundary(name: string, at: number): boolean {
  return at === name.length || [':', '/', '@'].includes(name[at] ?? '');
}

/** The registry with the longest prefix for a name without tag and digest; undefined when none matches. */
export function findRegistry(
  registries: readonly ConfiguredRegistry[],
  name: string,
): ConfiguredRegistry | undefined {
  let best: ConfiguredRegistry | undefined;
  for (const registry of registries) {
    const isLonger = registry.prefix.length > (best?.prefix.length ?? 0);
    if (isLonger && matchLength(name, registry.prefix) !== -1) best = registry;
  }
  return best;
}
