/** The URL of an endpoint of registries.yaml, as k3s normalises it. */

import { HUB, HUB_HOST, upstreamHost } from '../../../oci/docker-hub.ts';
import { type GoUrlResult, isLocalHost, parseGoUrl, splitHostPort } from '../../go/go-url.ts';

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
  const rest = textAround(withSlashes(text));
  const path = isDefaultPath ? '/v2' : url.path;
  const written = isDefaultPath ? '/v2' : escapedPath(rest.path, url.path);
  return {
    ok: true,
    address: {
      registry: host === HUB_HOST ? HUB : url.host,
      scheme,
      host,
      path,
      url: `${scheme}://${rest.user}${encodeHost(host)}${written}${rest.query}`,
      overridePath: !isDefaultPath,
    },
  };
}

/** The URL of a text that may lack a scheme, or Go's reason why it is none. */
export function parseEndpointUrl(text: string): GoUrlResult {
  const full = withSlashes(text);
  const parsed = parseGoUrl(full);
  const isUser = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(textAround(full).user);
  if (!parsed.ok || isUser) return parsed;
  return { ok: false, reason: 'net/url: invalid userinfo' };
}

function withSlashes(text: string): string {
  return text.includes('://') ? text : `//${text}`;
}

function defaultScheme(host: string, embedded: string | undefined): 'http' | 'https' {
  const { port } = splitHostPort(host);
  const isPlain = isLocalHost(host) && port !== '' && port !== '443' && host !== embedded;
  return isPlain ? 'http' : 'https';
}

/** What the parsed URL does not keep as it was written. */
function textAround(full: string) {
  const [, user = '', path = '', query = ''] =
    /^(?:[^:/?#]*:)?\/\/([^/?#]*@)?[^/?#]*([^?#]*)(.*)$/s.exec(full) ?? [];
  return { user, path, query };
}

/** url.EscapedPath: as written where that is a valid way to write it. */
function escapedPath(written: string, decoded: string): string {
  return /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/%]*$/.test(written) ? written : encodeURI(decoded);
}

function encodeHost(host: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  return host.replaceAll(/[^\u0000-\u007F]+/g, encodeURIComponent);
}
