/** Whom Docker asks for an image while containerd's image store keeps its images. */

import type { ConfigTree } from '../../config-tree.ts';
import { joinPath } from '../../go/go-path.ts';
import { type RegistryRules, readRegistryRules } from '../../hosts-toml/registry-rules.ts';
import type { Capability, EndpointTrust } from '../../pull-chain.ts';
import type { DockerBehaviour } from '../behaviour.ts';
import { DOCKER_CERTS_D, readStoreCerts } from '../read/certs-directory.ts';
import type { DockerHosts } from './classic-endpoints.ts';
import {
  type DockerEndpoint,
  dockerEndpoint,
  type EndpointsOutcome,
  isHubName,
  type NamedMirror,
  nsFor,
  storeMirrors,
} from './docker-endpoint.ts';
import { endpointsBefore28 } from './store-before-28.ts';

/** What daemon.json adds to what certs.d says, and for which version. */
export interface StoreHosts extends DockerHosts {
  readonly behaviour: DockerBehaviour;
  /** True when daemon.json has mirrors or insecure registries; else it is not looked at. */
  readonly hasLegacySettings: boolean;
}

/** The endpoints, and the hosts.toml that they come from where the version reads one. */
export interface StoreOutcome {
  readonly outcome: EndpointsOutcome;
  readonly rules?: RegistryRules;
  /** True when hosts.toml names several hosts, so that daemon.json counts for nothing. */
  readonly isSettled: boolean;
}

/**
 * First certs.d as containerd reads it; where that leaves one host, the mirrors of daemon.json come
 * before it. All of them then share the client of that host: its certificates, and no check for any as
 * soon as one of them is insecure. Source: moby/moby daemon/hosts.go, RegistryHosts and mergeLegacyConfig.
 */
export async function storeEndpoints(registry: string, hosts: StoreHosts): Promise<StoreOutcome> {
  const { tree, behaviour, hasLegacySettings } = hosts;
  if (!behaviour.has('hosts-toml')) {
    return { outcome: await endpointsBefore28(registry, hosts), isSettled: false };
  }
  const { containerd } = behaviour;
  const rules = await readRegistryRules({
    tree,
    roots: [DOCKER_CERTS_D],
    registry,
    behaviour: containerd,
  });
  if (rules.outcome.kind === 'failed') {
    const { error, origin } = rules.outcome;
    return { rules, outcome: { ok: false, error, origin }, isSettled: false };
  }
  const { endpoints } = rules.outcome;
  const [only] = endpoints;
  if (only === undefined || endpoints.length > 1 || !hasLegacySettings) {
    return { rules, outcome: { ok: true, endpoints }, isSettled: endpoints.length > 1 };
  }
  return { rules, outcome: await merged(registry, only, rules, hosts), isSettled: false };
}

async function merged(
  registry: string,
  only: DockerEndpoint,
  { directory }: RegistryRules,
  hosts: StoreHosts,
): Promise<EndpointsOutcome> {
  const folder =
    directory.kind === 'found' ? directory.path.slice(DOCKER_CERTS_D.length + 1) : undefined;
  const certs = await certsBeside(only.trust, folder, hosts.tree);
  if (!certs.ok) return certs;
  const mirrors = isHubName(registry) ? storeMirrors(hosts.mirrors, only.scheme) : [];
  const asked = [
    ...mirrors.map((mirror) => mirrorEndpoint(registry, only, mirror, hosts.behaviour)),
    only,
  ];
  const isOpen = asked.some(({ host }) => hosts.isInsecure(host));
  const trust = isOpen ? { ...certs.trust, skipVerify: true } : certs.trust;
  return {
    ok: true,
    endpoints: asked.map((endpoint) => ({
      ...endpoint,
      trust,
      httpsFirst: endpoint.httpsFirst || (isOpen && endpoint.scheme === 'https'),
    })),
  };
}

/** A hosts.toml that says nothing of TLS leaves the certificates beside it to count. */
async function certsBeside(trust: EndpointTrust, folder: string | undefined, tree: ConfigTree) {
  const isSet = trust.skipVerify || trust.ca.length > 0 || trust.clients.length > 0;
  if (isSet || folder === undefined) return { ok: true, trust } as const;
  return readStoreCerts(tree, folder);
}

/**
 * `https://m.example/hub/` → `https://m.example/hub/v2`; a path that ends in /v2 stays as it is.
 * Source: daemon/hosts.go, mirrorsToRegistryHosts.
 */
export function mirrorEndpoint(
  registry: string,
  upstream: DockerEndpoint,
  { scheme, host, path, origin }: Omit<NamedMirror, 'url' | 'writtenPath'>,
  behaviour: Pick<DockerBehaviour, 'has'>,
): DockerEndpoint {
  const capabilities: readonly Capability[] = behaviour.has('referrers-from-mirrors')
    ? ['pull', 'resolve', 'referrers']
    : ['pull', 'resolve'];
  const whole = path.endsWith('/v2') ? path : joinPath(path, 'v2');
  const { headers, dialTimeoutMs, trust } = upstream;
  const rooted = whole.startsWith('/') ? whole : `/${whole}`;
  const parts = {
    role: 'mirror',
    scheme,
    host,
    path: rooted,
    capabilities,
    trust,
    origin,
  } as const;
  return { ...dockerEndpoint(parts), headers, dialTimeoutMs, ...nsFor(registry, host) };
}
