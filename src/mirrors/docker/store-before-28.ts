/** Whom the containerd image store of Docker before 28 asks: daemon.json alone counts, hosts.toml does not. */

import { HUB_HOST } from '../../oci/docker-hub.ts';
import { BUILT_IN } from '../finding.ts';
import { readCertsDirectory } from './certs-directory.ts';
import type { DockerHosts } from './classic-endpoints.ts';
import {
  type DockerEndpoint,
  type DockerParts,
  dockerEndpoint,
  type EndpointsOutcome,
  isHubName,
  nsFor,
  unchecked,
} from './docker-endpoint.ts';

type Asked = Omit<DockerParts, 'trust' | 'scheme'> & { readonly certs: string };

/**
 * The mirrors over HTTPS whatever their scheme, with their path behind /v2, then the registry.
 * Source: moby/buildkit util/resolver/resolver.go, NewRegistryConfig, as moby v27.5.1 calls it.
 */
export async function endpointsBefore28(
  registry: string,
  hosts: DockerHosts,
): Promise<EndpointsOutcome> {
  const endpoints: DockerEndpoint[] = [];
  for (const { certs: name, ...parts } of askedBefore28(registry, hosts)) {
    const isOpen = hosts.isInsecure(name);
    const certs = isOpen
      ? ({ ok: true, trust: unchecked } as const)
      : await readCertsDirectory(hosts.tree, name);
    if (!certs.ok) return certs;
    const endpoint = dockerEndpoint({ ...parts, scheme: 'https', trust: certs.trust });
    endpoints.push({ ...endpoint, httpsFirst: isOpen, ...nsFor(registry, parts.host) });
  }
  return { ok: true, endpoints };
}

function askedBefore28(registry: string, { mirrors }: DockerHosts): readonly Asked[] {
  const isHub = isHubName(registry);
  const before = (isHub ? mirrors : []).map(({ host, path, origin }): Asked => {
    const abilities = { role: 'mirror', capabilities: ['pull', 'resolve'] } as const;
    return { ...abilities, host, path: `/v2${path}`, origin, certs: host };
  });
  const own: Asked = {
    role: 'upstream',
    host: isHub ? HUB_HOST : registry,
    path: '/v2',
    capabilities: ['pull', 'resolve', 'push'],
    origin: BUILT_IN,
    certs: registry,
  };
  return [...before, own];
}
