import type { PullEndpoint, WireRules } from '../pull-chain.ts';
import type { ExplainedRequest, ExplainedTrust } from './explanation.ts';

/** The trust of an endpoint by the paths of its files; no content is kept. */
export function trustOf({ trust, scheme, httpsFirst }: PullEndpoint): ExplainedTrust {
  return {
    ca: trust.ca.map(({ path }) => path),
    clientCertificates: trust.clients.map(({ certificate }) => certificate.path),
    skipVerify: trust.skipVerify,
    transport: httpsFirst ? 'https-first' : scheme === 'http' ? 'plain' : 'https',
  };
}

/** Where the login at an endpoint comes from; never the login itself. */
export function loginOf(
  { login, loginPrograms = [], role }: PullEndpoint,
  { wire }: { readonly wire: WireRules },
): ExplainedRequest['login'] {
  const [program] = loginPrograms;
  if (program !== undefined) return { from: 'program', ...program };
  if (login !== undefined) {
    return { from: 'file', username: login.username, origin: login.origin };
  }
  const isOffered = wire.pullSecretGoesTo === 'every endpoint' || role === 'upstream';
  return { from: isOffered ? 'pull secret' : 'none' };
}
