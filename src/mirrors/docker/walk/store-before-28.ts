/** Whom the containerd image store of Docker before 28 asks: daemon.json alone counts, hosts.toml does not. */

import { HUB_HOST } from '../../../oci/docker-hub.ts';
import { BUILT_IN } from '../../finding.ts';
import { joinPath } from '../../go/go-path.ts';
import { isLocalHost } from '../../go/host-port.ts';
import { DOCKER_CERTS_D, readStoreCerts } from '../read/certs-directory.ts';
import type { DockerHosts } from './classic-endpoints.ts';
import {
  type DockerEndpoint,
  type DockerParts,
  dockerEndpoint,
  type EndpointsOutcome,
  isHubName,
  nsFor,
  storeMirrors,
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
    const isOpen = await isOpenBefore28(parts.role, name, hosts);
    // Read for an insecure host too: a folder that cannot be used fails its pulls all the same.
    const certs = await readStoreCerts(hosts.tree, name);
    if (!certs.ok) return certs;
    const endpoint = dockerEndpoint({
      ...parts,
      scheme: !isOpen && isLocalHost(parts.host) ? 'http' : 'https',
      trust: isOpen ? { ...certs.trust, skipVerify: true } : certs.trust,
    });
    endpoints.push({ ...endpoint, httpsFirst: isOpen, ...nsFor(registry, parts.host) });
  }
  return { ok: true, endpoints };
}

/** The addresses of a host count for a registry only, and only without a folder of certificates. */
async function isOpenBefore28(
  role: DockerParts['role'],
  name: string,
  { tree, isInsecure, isNamedInsecure }: DockerHosts,
): Promise<boolean> {
  if (isNamedInsecure(name)) return true;
  if (role !== 'upstream' || !isInsecure(name)) return false;
  return !(await tree.list(DOCKER_CERTS_D)).some((entry) => entry.name === name);
}

function askedBefore28(registry: string, { mirrors }: DockerHosts): readonly Asked[] {
  const isHub = isHubName(registry);
  const before = storeMirrors(isHub ? mirrors : [], 'https').map(
    ({ host, path, origin }): Asked => {
      const abilities = { role: 'mirror', capabilities: ['pull', 'resolve'] } as const;
      return { ...abilities, host, path: joinPath('/v2', path), origin, certs: host };
    },
  );
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
