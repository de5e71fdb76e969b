/** What a failure says when a proxy stands on the way. */

import type { CertificateFault } from '../settings.ts';

/** Why a request failed, and what to do about it. */
export interface Explanation {
  readonly reason: string;
  readonly advice: string;
  /** True if the same request may work in a moment. */
  readonly mayPass?: boolean;
  /** What is wrong with the certificate of the host, if it is that. */
  readonly certificate?: CertificateFault;
}

/** Only to the proxy a connection is made, so what is said of a connection is said of the proxy. */
const aboutConnection: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const checkProxy = 'Check HTTPS_PROXY and HTTP_PROXY, and NO_PROXY for hosts inside the site.';

/**
 * The explanation of `code` with the proxy in it: ECONNREFUSED behind `p:3128` → `the proxy p:3128
 * cannot be reached: nothing listens on this port`.
 */
export function behindProxy(found: Explanation, code: string, proxy: string): Explanation {
  const { reason } = found;
  if (aboutConnection.has(code)) {
    return { reason: `the proxy ${proxy} cannot be reached: ${reason}`, advice: checkProxy };
  }
  return { ...found, reason: `${reason} (through the proxy ${proxy})` };
}

/** What the text of undici's error says of a proxy that refused with a status, or undefined. */
export function proxyRefusal(text: string, proxy: string): Explanation | undefined {
  const found = /Proxy response \((\d+)\)|Proxy Authentication Required \((\d+)\)/.exec(text);
  if (found === null) return undefined;
  const status = found[1] ?? found[2] ?? '';
  if (status === '407') {
    return {
      reason: `the proxy ${proxy} wants a user and password`,
      advice: 'Write them into HTTPS_PROXY or HTTP_PROXY: http://user:password@proxy:3128',
    };
  }
  return {
    reason: `the proxy ${proxy} refuses the connection with status ${status}`,
    advice: 'Let the proxy allow this host, or add it to NO_PROXY if it lies inside the site.',
  };
}
