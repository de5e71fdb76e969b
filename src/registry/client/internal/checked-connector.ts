/** Connections whose certificate is judged by somebody else's rules before anything is sent. */
import { type DetailedPeerCertificate, type PeerCertificate, TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { TlsRefusal, TlsRules } from '../settings.ts';

/** What `rules` said about a server. */
export class ServerRefused extends Error {
  readonly kind: TlsRefusal['kind'];
  readonly fix: string;

  constructor({ kind, reason, fix }: TlsRefusal) {
    super(reason);
    this.kind = kind;
    this.fix = fix;
  }
}

/**
 * A connector for undici that asks `rules` about every TLS connection and closes those that it refuses.
 * `straight` must neither verify certificates itself nor resume sessions, which send none.
 */
export function checkedConnector(
  rules: TlsRules,
  straight: buildConnector.connector,
): buildConnector.connector {
  return (wanted, callback) =>
    straight(wanted, (error, socket) => {
      if (error !== null) return callback(error, null);
      const refusal =
        socket instanceof TLSSocket
          ? rules.refuse(wanted.hostname, sentBy(socket.getPeerCertificate(true)))
          : undefined;
      if (refusal === undefined) return callback(null, socket);
      socket.destroy();
      return callback(new ServerRefused(refusal), null);
    });
}

/** The same for a proxy's tunnels, where OpenSSL verifies too: `checkServerIdentity` of Node. */
export function identityCheck(rules: TlsRules) {
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    // Node hands over the detailed form, which its declaration does not say.
    const refusal = rules.refuse(host, sentBy(certificate as DetailedPeerCertificate));
    return refusal && new ServerRefused(refusal);
  };
}

/** Node links each certificate to its issuer among those sent; the last one to itself. */
function sentBy(certificate: DetailedPeerCertificate): Uint8Array[] {
  const seen = new Set<DetailedPeerCertificate>();
  // A server without a certificate gives an object without fields.
  for (
    let at: Partial<DetailedPeerCertificate> | undefined = certificate;
    at?.raw !== undefined;
  ) {
    const one = at as DetailedPeerCertificate; // what has its bytes has the rest
    if (seen.has(one)) break;
    seen.add(one);
    at = one.issuerCertificate;
  }
  return Array.from(seen, ({ raw }) => raw);
}
