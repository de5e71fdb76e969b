/** The URL of an endpoint of registries.yaml, as k3s normalises it. */

import { HUB, HUB_HOST, upstreamHost } from '../../../oci/docker-hub.ts';
import { formatGoUrl } from '../../../oci/go-url/format.ts';
import { type GoUrlResult, parseGoUrl } from '../../../oci/go-url/parse.ts';
import { isLocalHost, splitHostPort } from '../../go/host-port.ts';

/** An endpoint, or the default endpoint of a registry. */
export interface EndpointAddress {
  /** Under which name its settings stand in `configs`. */
  readonly registry: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  /** As Go writes it, into hosts.toml too. */
  readonly url: string;
  /** True when the path takes the place of `/v2`. */
  readonly overridePath: boolean;
}

/** The address, or Go's reason why the text is none. */
export type AddressResult =
  | { readonly ok: true; readonly address: EndpointAddress }
  | { readonly ok: false; readonly reason: string };

/**
 * `registry.example.com` → `https://registry.example.com/v2`; a path other than `/`, `/v2` or none stays
 * as it is, with `overridePath`. `embedded` is the host:port of the embedded registry, which is always HTTPS.
 * Source: k3s pkg/agent/containerd/config.go, normalizeEndpointAddress.
 */
export function endpointAddress(text: string, embedded: string | undefined): AddressResult {
  const parsed = parseEndpointUrl(text);
  if (!parsed.ok) return parsed;
  const { url } = parsed;
  const scheme = url.scheme === '' ? defaultScheme(url.host, embedded) : url.scheme;
  const host = upstreamHost(url.host);
  const isDefaultPath = url.path === '' || url.path === '/' || url.path === '/v2';
  const path = isDefaultPath ? '/v2' : url.path;
  return {
    ok: true,
    address: {
      registry: host === HUB_HOST ? HUB : url.host,
      scheme,
      host,
      path,
      url: formatGoUrl({ ...url, scheme, host, path }),
      overridePath: !isDefaultPath,
    },
  };
}

/** The URL of a text that may lack a scheme, or Go's reason why it is none. */
export function parseEndpointUrl(text: string): GoUrlResult {
  return parseGoUrl(text.includes('://') ? text : `//${text}`);
}

function defaultScheme(host: string, embedded: string | undefined): 'http' | 'https' {
  const { port } = splitHostPort(host);
  const isPlain = isLocalHost(host) && port !== '' && port !== '443' && host !== embedded;
  return isPlain ? 'http' : 'https';
}
