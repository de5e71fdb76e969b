/** K002, K007, S001, C010: settings that reach another endpoint than they seem to, or none. */

import { HUB, upstreamHost } from '../../../oci/docker-hub.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { type EndpointAddress, endpointAddress } from '../convert/endpoint-address.ts';
import { configFor } from '../convert/host-configs.ts';
import type { RegistryConfig, TlsConfig } from '../registries-file.ts';
import { editAt, type Judged, type K3sNotice, originAt } from './k3s-notice.ts';

/** An endpoint of `mirrors` with the registry whose mirror it is. */
interface Used {
  readonly registry: string;
  readonly address: EndpointAddress;
}

/** All findings about `configs`. */
export async function configFindings(
  judged: Judged,
  tree: ConfigTree,
): Promise<readonly K3sNotice[]> {
  const used = usedEndpoints(judged);
  const { configs } = judged.running.file.registries;
  const found: K3sNotice[] = [];
  for (const [name, config] of configs) {
    found.push(...keyFindings(name, config, used, judged));
    if (config.tls !== undefined)
      found.push(...(await fileFindings(name, config.tls, judged, tree)));
    if (config.tls?.skipVerify === true) found.push(unchecked(name, config.tls, judged));
  }
  return found;
}

function usedEndpoints({ running }: Judged): readonly Used[] {
  return Array.from(running.file.registries.mirrors).flatMap(([registry, { endpoints }]) =>
    endpoints.flatMap(({ value }): Used[] => {
      const result = endpointAddress(value, undefined);
      return result.ok ? [{ registry, address: result.address }] : [];
    }),
  );
}

function keyFindings(
  name: string,
  config: RegistryConfig,
  used: readonly Used[],
  judged: Judged,
): readonly K3sNotice[] {
  if (name === '*') return wildcard(config, judged);
  const isEndpoint = used.some(
    ({ address }) => address.registry === name || address.host === upstreamHost(name),
  );
  if (isEndpoint) return [];
  const right = rightKey(name, used);
  if (right !== undefined) return [offByPort(name, right, config, judged)];
  return unreached(name, config, used, judged);
}

/** The endpoint's own host:port, where the key differs from it only in a scheme, a path or a port. */
function rightKey(name: string, used: readonly Used[]): string | undefined {
  const bare = name.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '');
  const hosts = used.map(({ address }) => address.registry);
  if (bare !== name && hosts.includes(bare)) return bare;
  const withoutPort = (host: string) => host.replace(/:\d+$/, '');
  return hosts.find((host) => host !== bare && withoutPort(host) === withoutPort(bare));
}

function offByPort(name: string, right: string, { at }: RegistryConfig, judged: Judged): K3sNotice {
  const isFree = !judged.running.file.registries.configs.has(right);
  return {
    rule: 'K002',
    host: right,
    origin: originAt(judged, at),
    message: `${name} is not how any endpoint is written, so these settings do not reach ${right}`,
    fix: `Name it as the endpoint: "${right}".`,
    ...(isFree && { mend: editAt(judged, at, `"${right}"`) }),
  };
}

/** TLS under the registry's own name reaches the registry, never its mirrors (k3s#13215). */
function unreached(
  name: string,
  config: RegistryConfig,
  used: readonly Used[],
  judged: Judged,
): readonly K3sNotice[] {
  const { registries } = judged.running.file;
  const mirrors = used.filter(({ registry, address }) => {
    const isOwn = registry === name || (registry === HUB && upstreamHost(registry) === name);
    const hasOwn = configFor(registries, address.registry)?.tls !== undefined;
    return isOwn && address.scheme === 'https' && !hasOwn;
  });
  const [first] = mirrors;
  if (config.tls === undefined || first === undefined) return [];
  const { registry } = first.address;
  return [
    {
      rule: 'K002',
      host: name,
      origin: originAt(judged, config.at),
      message: `tls of ${name} is for ${name} itself; the mirror ${registry} does not get it`,
      fix: `Write it under "${registry}", the endpoint as it is written.`,
    },
  ];
}

/** configs."*" is no fallback for endpoints: it becomes a directory of its own. */
function wildcard({ at, auth, tls }: RegistryConfig, judged: Judged): readonly K3sNotice[] {
  const hasMirrors = judged.running.file.registries.mirrors.has('*');
  const origin = originAt(judged, at);
  const fix = 'List the host of each endpoint under configs.';
  const found: K3sNotice[] = [];
  if (tls !== undefined && hasMirrors) {
    const message =
      'with mirrors."*" the tls of configs."*" reaches neither its endpoints nor the registries';
    found.push({ rule: 'K007', origin, message, fix });
  }
  if (auth !== undefined) {
    const message =
      'a login under configs."*" is offered nowhere: containerd looks for the host itself';
    found.push({ rule: 'K007', origin, message, fix });
  }
  return found;
}

function unchecked(name: string, tls: TlsConfig, judged: Judged): K3sNotice {
  return {
    rule: 'S001',
    host: name,
    origin: originAt(judged, tls.places.get('insecure_skip_verify') ?? tls.at),
    message: `the certificate of ${name} is not checked: whoever answers at the address is believed`,
    fix: 'Name its authority as ca_file, and remove insecure_skip_verify.',
  };
}

async function fileFindings(
  name: string,
  tls: TlsConfig,
  judged: Judged,
  tree: ConfigTree,
): Promise<readonly K3sNotice[]> {
  const files = [
    ['ca_file', tls.caFile],
    ['cert_file', tls.certFile],
    ['key_file', tls.keyFile],
  ] as const;
  const found: K3sNotice[] = [];
  for (const [key, path] of files) {
    const at = tls.places.get(key);
    if (path === '' || at === undefined) continue;
    const { kind } = await tree.read(path);
    if (kind === 'file') continue;
    found.push({
      rule: 'C010',
      host: name,
      origin: originAt(judged, at),
      message: `${path} ${kind === 'missing' ? 'is not there' : 'cannot be read'}, so every pull that ${name} is listed for fails`,
      fix: 'Put the file there on every node, or correct the path.',
    });
  }
  return found;
}
