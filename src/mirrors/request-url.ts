/** The URL of one request, as Go's net/http writes it. */

import { formatGoUrl } from '../oci/go-url/format.ts';
import { parseGoUrl } from '../oci/go-url/parse.ts';
import { joinPath } from './go/go-path.ts';
import type { PullEndpoint } from './pull-chain.ts';

/** What runtimes ask registries with. */
export type RequestMethod = 'HEAD' | 'GET' | 'POST';

/** What comes behind an endpoint's base: repository, kind, and tag, digest or `uploads/`. */
export interface RequestPath {
  readonly kind: 'manifests' | 'blobs';
  readonly parts: readonly string[];
}

/** `('library/nginx', 'manifests', '1')` → the path that ends in `library/nginx/manifests/1`. */
export function pathOf(repository: string, kind: RequestPath['kind'], name: string): RequestPath {
  return { kind, parts: [repository, kind, name] };
}

/**
 * A URL, or the reason why the runtime cannot even make one of the endpoint. `joined` is what the URL
 * was read from: nothing in it is escaped, and an empty port is still there.
 */
export type RequestUrl =
  | { readonly ok: true; readonly url: string; readonly joined: string }
  | { readonly ok: false; readonly reason: string };

/** Joins and cleans the path, adds `?ns=` and writes the URL; an empty port is dropped. */
export function urlOf(
  endpoint: Pick<PullEndpoint, 'host' | 'path'>,
  { parts }: RequestPath,
  { ns, scheme }: { readonly ns: string | undefined; readonly scheme: string },
): RequestUrl {
  const slash = parts.at(-1)?.endsWith('/') ? '/' : '';
  const path = joinPath('/', endpoint.path, ...parts) + slash;
  const query = ns === undefined ? '' : `?ns=${encodeURIComponent(ns)}`;
  const joined = `${scheme}://${endpoint.host}${path}${query}`;
  const read = parseGoUrl(joined);
  if (!read.ok) return read;
  const { url } = read;
  return { ok: true, url: formatGoUrl({ ...url, host: url.host.replace(/:$/, '') }), joined };
}
