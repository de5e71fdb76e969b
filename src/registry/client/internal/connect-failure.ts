/** Turns what sockets, TLS and undici throw into errors in plain words. */
import type { Side } from '../../../content/ports.ts';
import { describeError, systemCode } from '../../../shared/errors.ts';
import type { KnownSecrets } from '../../../shared/known-secrets.ts';
import type { Clock } from '../../../shared/ports.ts';
import { RegistryConnectionLost, RegistryTimeout, RegistryUnreachable } from '../errors.ts';
import type { ClientTimeouts } from '../settings.ts';
import { ServerRefused } from './checked-connector.ts';
import { behindProxy, type Explanation, proxyRefusal } from './proxy-failure.ts';
import { wantsHttps } from './speaks-tls.ts';

/** What a failing request was about. */
export interface Failing {
  readonly side: Side;
  readonly registry: string;
  readonly purpose: string;
  /** Host that was asked: not the registry itself after a redirect or for a token. */
  readonly host: string;
  /** The proxy on the way, without its login: `proxy.example:3128`. */
  readonly proxy: string | undefined;
  readonly timeouts: ClientTimeouts;
  /** Tells how long the server has been waited for. */
  readonly clock: Clock;
  /** What certificates and proxies may repeat, but messages may not. */
  readonly secrets: KnownSecrets;
}

const addCa =
  'Give its authority as trust.ca in the document (PEM), or install it on this machine. openssl s_client -showcerts shows the chain.';
const checkName =
  'Check the spelling of the host, and the DNS server of this machine (getent hosts NAME).';
const elsewhere =
  'If it is reached at another address from here, the SourcePolicy says so with endpoint: and is given to the command.';
const portOpen = 'Check that the registry runs and listens on this port.';

const byCode: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: { reason: 'no such host name', advice: checkName },
  EAI_AGAIN: { reason: 'the name server does not answer', advice: checkName, mayPass: true },
  ECONNREFUSED: {
    reason: 'nothing listens on this port',
    advice: portOpen,
    mayPass: true,
  },
  EHOSTUNREACH: {
    reason: 'there is no route to the host',
    advice: 'Check the network of this machine and the proxy settings.',
    mayPass: true,
  },
  ENETUNREACH: {
    reason: 'there is no route to the network',
    advice: 'Check the network of this machine and the proxy settings.',
    mayPass: true,
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    certificate: 'untrusted',
    reason: 'its certificate comes from an authority that this machine does not know',
    advice: addCa,
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    certificate: 'untrusted',
    reason: 'its certificate comes from an authority that this machine does not know',
    advice: addCa,
  },
  UNABLE_TO_GET_ISSUER_CERT: {
    certificate: 'untrusted',
    reason: 'an authority in the middle of its certificate chain is not known',
    advice: addCa,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    certificate: 'untrusted',
    reason:
      'its certificate comes from an authority that this machine does not know, or it does not send the certificates between',
    advice: addCa,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    certificate: 'untrusted',
    reason: 'its certificate is self-signed and not trusted',
    advice: addCa,
  },
  CERT_HAS_EXPIRED: {
    certificate: 'invalid',
    reason: 'its certificate has expired',
    advice: 'Renew the certificate of the registry; check also the clock of this machine.',
  },
  CERT_NOT_YET_VALID: {
    certificate: 'invalid',
    reason: 'its certificate is not valid yet',
    advice: 'Check the clocks of this machine and of the registry.',
  },
  CERT_SIGNATURE_FAILURE: {
    certificate: 'untrusted',
    reason: 'its certificate was not made by the authority that it names',
    advice: addCa,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    certificate: 'wrong-name',
    reason: 'its certificate is for other names',
    advice:
      'Use one of the names in the certificate, or issue a certificate with this name (an address needs an IP entry).',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    reason: 'it speaks plain HTTP on this port, not HTTPS',
    advice:
      'If that is intended, say so: plainHttp: true for a registry of the Site, an endpoint with http:// in the policy. Else use its HTTPS port.',
  },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: {
    reason: 'it wants a client certificate',
    advice: 'Give trust.clientCertificate and trust.clientKey for this registry.',
  },
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: {
    reason: 'it refuses the TLS handshake; it may want a client certificate',
    advice: 'Give trust.clientCertificate and trust.clientKey if it wants one.',
  },
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: {
    reason: 'it does not know the authority of our client certificate',
    advice: 'Give a client certificate from the authority that the registry trusts.',
  },
  UND_ERR_PRX_TLS: {
    reason: 'the certificate of the proxy is for another name',
    advice: 'Check the address of the proxy in HTTPS_PROXY.',
  },
  UND_ERR_PRX_CONN: {
    reason: 'the proxy closed the connection',
    advice: 'Check HTTPS_PROXY, and NO_PROXY for hosts inside the site.',
    mayPass: true,
  },
};

/** Errors of a connection that was there: the same request may work over a new one. */
const broken: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_INFO',
]);

/**
 * The error to throw for `error`: ENOTFOUND → REGISTRY_UNREACHABLE "no such host name",
 * ECONNRESET → REGISTRY_CONNECTION_LOST, a timeout of undici → REGISTRY_TIMEOUT.
 */
export function connectFailure(error: unknown, failing: Failing): Error {
  const { timeouts, secrets } = failing;
  const about = aboutOf(failing);
  const code = codeOf(error);
  const cause = { cause: error };
  const waited = timeoutOf(code, timeouts);
  if (waited !== undefined) return new RegistryTimeout({ ...about, ...waited }, cause);
  if (broken.has(code) || code.startsWith('HPE_')) {
    const reason = secrets.redact(describeError(error));
    return new RegistryConnectionLost({ ...about, reason }, cause);
  }
  if (error instanceof ServerRefused) {
    const { message: reason, fix: advice, kind: certificate } = error;
    return new RegistryUnreachable({ ...about, reason, advice, certificate }, cause);
  }
  const found = explain(code, secrets.redact(describeError(error)), failing.proxy);
  const { reason, certificate } = found;
  const { host } = failing;
  const isNamelessSource = about.side === 'source' && found.advice === checkName;
  const advice = isNamelessSource ? `${checkName} ${elsewhere}` : found.advice;
  return new RegistryUnreachable({ ...about, host, reason, advice, certificate }, cause);
}

/** What an error says of a request; who waits for a host behind a proxy waits for both. */
function aboutOf({ side, registry, purpose, host, proxy }: Failing) {
  const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  return { side, registry, purpose, host: host + through };
}

/** The error for a body of which too little comes to ever be whole. */
export function stallFailure(failing: Failing): Error {
  const { stallMs: timeoutMs } = failing.timeouts;
  return new RegistryTimeout({ ...aboutOf(failing), waitedFor: 'a body that moves', timeoutMs });
}

/** The error for a plain HTTP request to a port that speaks TLS; no other try can help. */
export function httpsWanted(error: unknown, failing: Failing): Error {
  const about = { ...aboutOf(failing), ...wantsHttps };
  return new RegistryUnreachable(about, { cause: error });
}

/** True if the request that ended with this error may work when it is sent again in a moment. */
export function mayPass(error: unknown): boolean {
  if (error instanceof RegistryTimeout) return true;
  if (error instanceof RegistryConnectionLost) return !codeOf(error.cause).startsWith('HPE_');
  return error instanceof RegistryUnreachable && byCode[codeOf(error.cause)]?.mayPass === true;
}

function timeoutOf(code: string, timeouts: ClientTimeouts) {
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return { waitedFor: 'a connection', timeoutMs: timeouts.connectMs } as const;
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { waitedFor: 'an answer', timeoutMs: timeouts.headersMs } as const;
    case 'UND_ERR_BODY_TIMEOUT':
      return { waitedFor: 'more of the body', timeoutMs: timeouts.idleBodyMs } as const;
    default:
      return undefined;
  }
}

function explain(code: string, text: string, proxy: string | undefined): Explanation {
  if (proxy === undefined) return explainDirect(code, text);
  return proxyRefusal(text, proxy) ?? behindProxy(explainDirect(code, text), code, proxy);
}

function explainDirect(code: string, text: string): Explanation {
  const known = byCode[code];
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && known !== undefined) {
    const names = /altnames: (.*)$/m.exec(text)?.[1] ?? text;
    return { ...known, reason: `${known.reason} (${names})` };
  }
  if (known !== undefined) return known;
  return { reason: text, advice: 'Check the address and the network of this machine.' };
}

/** The code of an error; of the first attempt where several addresses of one name were tried. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = systemCode(error) ?? '';
  // Node says EPROTO where OpenSSL's own code stands in the text.
  if (code === 'EPROTO' || code === '') {
    if (/wrong version number|packet length too long/i.test(describeError(error))) {
      return 'ERR_SSL_WRONG_VERSION_NUMBER';
    }
  }
  return code;
}
