/** Whom Talos itself asks, for its installer, the kubelet and etcd: it pulls those without CRI. */

import { upstreamHost } from '../../../oci/docker-hub.ts';
import { EVERY_OTHER } from '../../mirror-rule.ts';
import type { MirrorEndpoint, Registries } from '../read/registries.ts';

/** One endpoint in the order in which it is asked; the registry itself has no place in a file. */
export type OwnEndpoint = Pick<MirrorEndpoint, 'url' | 'overridePath'>;

/**
 * `docker.io` with one mirror → that mirror, then `https://registry-1.docker.io` unless skipFallback.
 * Source: siderolabs/talos internal/pkg/containers/image/resolver.go, RegistryEndpoints.
 */
export function ownEndpoints(
  registry: string,
  { mirrors }: Pick<Registries, 'mirrors'>,
): readonly OwnEndpoint[] {
  const upstream = { url: `https://${upstreamHost(registry)}`, overridePath: false };
  const found = mirrors.get(registry) ?? mirrors.get(EVERY_OTHER);
  if (found === undefined) return [upstream];
  return found.skipFallback ? found.endpoints : [...found.endpoints, upstream];
}
