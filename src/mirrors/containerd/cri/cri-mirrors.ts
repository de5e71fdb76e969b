/** The deprecated `registry.mirrors` of the main configuration: endpoints without host directories. */

import { isTomlTable, type TomlTable } from '../../../documents/toml.ts';
import { upstreamHost } from '../../../oci/docker-hub.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import { isLocalHost } from '../../go/host-port.ts';
import { textsOf, valueAt } from '../main-config/config-files.ts';

/** `http` for hosts of this machine, else `https`: what an endpoint without a scheme gets. */
export function defaultScheme(host: string): 'http' | 'https' {
  return isLocalHost(host) ? 'http' : 'https';
}

/**
 * The endpoints of a registry in order: those of its exact name, else of `*`; then the registry
 * itself, unless one of them has the same host. They cannot be without the registry (R0-52).
 */
export function criEndpoints(mirrors: TomlTable, host: string): readonly string[] {
  const key = Object.hasOwn(mirrors, host) ? host : '*';
  const endpoints = textsOf(valueAt(mirrors, [key, 'endpoint'])).map(withScheme);
  const isListed = endpoints.some((endpoint) => {
    const parsed = parseGoUrl(endpoint);
    return parsed.ok && parsed.url.host === host;
  });
  if (isListed) return endpoints;
  const upstream = upstreamHost(host);
  return [...endpoints, `${defaultScheme(upstream)}://${upstream}`];
}

function withScheme(endpoint: string): string {
  if (endpoint.includes('://')) return endpoint;
  const parsed = parseGoUrl(`dummy://${endpoint}`);
  return `${defaultScheme(parsed.ok ? parsed.url.host : '')}://${endpoint}`;
}

/** True when the table has entries at `key`. */
export function hasEntries(registry: TomlTable, key: 'mirrors' | 'configs' | 'auths'): boolean {
  const value = registry[key];
  return isTomlTable(value) && Object.keys(value).length > 0;
}
