/** Whom Docker asks for an image while it keeps images in its own, the classic image store. */

import { HUB_HOST } from '../../../oci/docker-hub.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { BUILT_IN } from '../../finding.ts';
import { readCertsDirectory } from '../read/certs-directory.ts';
import {
  type DockerEndpoint,
  dockerEndpoint,
  type EndpointsOutcome,
  type IsInsecure,
  isHubName,
  type NamedMirror,
  unchecked,
} from './docker-endpoint.ts';

/** What decides about endpoints, read from the node. */
export interface DockerHosts {
  readonly tree: ConfigTree;
  readonly mirrors: readonly NamedMirror[];
  readonly isInsecure: IsInsecure;
  /** As {@link isInsecure}, but networks do not count. */
  readonly isNamedInsecure: IsInsecure;
}

const everything = ['pull', 'resolve', 'push'] as const;

/**
 * `docker.io` → the mirrors in order, then Docker Hub, always; any other registry → itself, over HTTPS
 * and, if it is insecure, over HTTP too. A folder of certificates that cannot be used fails every pull.
 * Source: moby/moby daemon/pkg/registry/service_v2.go, lookupV2Endpoints.
 */
export async function classicEndpoints(
  registry: string,
  hosts: DockerHosts,
): Promise<EndpointsOutcome> {
  return isHubName(registry) ? hubEndpoints(hosts) : ownEndpoints(registry, hosts);
}

async function hubEndpoints({ tree, mirrors, isInsecure }: DockerHosts): Promise<EndpointsOutcome> {
  const endpoints: DockerEndpoint[] = [];
  for (const { origin, ...mirror } of mirrors) {
    const { scheme, host, path } = classicUrl(mirror);
    const certs = isInsecure(host)
      ? ({ ok: true, trust: unchecked } as const)
      : await readCertsDirectory(tree, host);
    if (!certs.ok) return certs;
    const { trust } = certs;
    const capabilities = ['pull', 'resolve'] as const;
    const parts = { role: 'mirror', scheme, host, capabilities, trust, origin } as const;
    endpoints.push(dockerEndpoint({ ...parts, path: `${path}/v2` }));
  }
  const hub = dockerEndpoint({
    role: 'upstream',
    scheme: 'https',
    host: HUB_HOST,
    path: '/v2',
    capabilities: everything,
    // The folder certs.d/docker.io is not looked at.
    trust: { ca: [], clients: [], skipVerify: false },
    origin: BUILT_IN,
  });
  return { ok: true, endpoints: [...endpoints, hub] };
}

/**
 * A scheme that is not written in lower case is taken for no scheme: `HTTPS://m.example/` becomes
 * `https://HTTPS://m.example/`, whose host is `HTTPS:`.
 */
function classicUrl(mirror: Pick<NamedMirror, 'scheme' | 'host' | 'writtenPath' | 'url'>) {
  if (/^https?:\/\//.test(mirror.url)) return { ...mirror, path: mirror.writtenPath };
  const parsed = parseGoUrl(`https://${mirror.url}`);
  return parsed.ok
    ? { ...parsed.url, path: parsed.url.writtenPath.replace(/\/+$/, '') }
    : { ...mirror, path: mirror.writtenPath };
}

async function ownEndpoints(
  registry: string,
  { tree, isInsecure }: DockerHosts,
): Promise<EndpointsOutcome> {
  const isOpen = isInsecure(registry);
  const certs = isOpen
    ? ({ ok: true, trust: unchecked } as const)
    : await readCertsDirectory(tree, registry);
  if (!certs.ok) return certs;
  const parts = {
    role: 'upstream',
    host: registry,
    path: '/v2',
    capabilities: everything,
    trust: certs.trust,
    origin: BUILT_IN,
  } as const;
  const https = dockerEndpoint({ ...parts, scheme: 'https' });
  const http = dockerEndpoint({ ...parts, scheme: 'http' });
  return { ok: true, endpoints: isOpen ? [https, http] : [https] };
}
