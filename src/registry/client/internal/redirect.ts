import type { RegistryEndpoint } from '../settings.ts';
import type { TransportRequest } from '../transport.ts';

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** True when the answer names another address to ask. */
export function isRedirect(status: number): boolean {
  return redirects.has(status);
}

/** Where a redirect leads, or why it is not followed. */
export type Hop = { readonly to: URL } | { readonly refused: string; readonly to: string };

/**
 * Decides one hop: `from` answered with `location`.
 *
 * Reading follows every redirect; writing only 307 and 308 with a body that can be sent again, since the
 * others would turn it into reading. From https only to https, unless the endpoint allows it.
 */
export function nextHop(
  request: TransportRequest,
  answer: { readonly from: URL; readonly status: number; readonly location: string | undefined },
  endpoint: Pick<RegistryEndpoint, 'allowPlainRedirects'>,
): Hop {
  const { from, status, location } = answer;
  if (location === undefined) return { refused: 'it names no address', to: '(nowhere)' };
  const to = URL.parse(location, from.href);
  if (to === null || !/^https?:$/.test(to.protocol)) {
    return { refused: 'the address is no http or https URL', to: location };
  }
  if (from.protocol === 'https:' && to.protocol === 'http:' && !endpoint.allowPlainRedirects) {
    return { refused: 'it leads from HTTPS to plain HTTP', to: to.href };
  }
  if (!mayRepeat(request, status)) {
    return { refused: `status ${status} cannot be followed for ${request.method}`, to: to.href };
  }
  return { to };
}

function mayRepeat({ method, body }: TransportRequest, status: number): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const isSame = status === 307 || status === 308;
  return isSame && (body === undefined || body instanceof Uint8Array);
}

/** Headers that a stranger may see: what is wanted, nothing about who asks. */
const harmless: ReadonlySet<string> = new Set(['accept', 'range', 'user-agent', 'content-type']);

/** The headers of the caller for a request to another host than the registry's. */
export function headersForStrangers(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => harmless.has(name.toLowerCase())),
  );
}
