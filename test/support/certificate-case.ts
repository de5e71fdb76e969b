/** One handshake with an odd certificate, and the usual parts of one. */
import {
  basic,
  commonName,
  keyUsage,
  names,
  type OddCertificate,
  type OddKey,
  oddCertificate,
  oddKey,
} from './odd-certificate.ts';

/** What the server sends, whom the client trusts, and what comes of it. */
export interface CertificateCase {
  readonly name: string;
  readonly sent: readonly Buffer[];
  readonly key: OddKey;
  readonly roots: readonly Buffer[];
  readonly host: string;
  readonly isAccepted: boolean;
}

/** The host that clients ask for, unless a case says otherwise. */
export const host = 'registry.example';
/** The extension with its name. */
export const san = names({ dns: [host] });
/** What makes an authority. */
export const authorityParts = [basic(true), keyUsage(5)];
export const serverAuth = '1.3.6.1.5.5.7.3.1';
export const clientAuth = '1.3.6.1.5.5.7.3.2';

/** The keys that most cases share. */
export function caseKeys(): CaseKeys {
  return { server: oddKey('ec'), root: oddKey('ec'), middle: oddKey('ec') };
}

/** One for each place in a chain. */
export interface CaseKeys {
  readonly server: OddKey;
  readonly root: OddKey;
  readonly middle: OddKey;
}

/** What is unusual about a certificate. */
export type Part = Partial<OddCertificate>;

/** The authority, which signs itself. */
export function rootOf(key: OddKey, more: Part = {}): Buffer {
  const subject = commonName('odd authority');
  return oddCertificate({ subject, key, signer: key, extensions: authorityParts, ...more });
}

/** A server's certificate right under the root. */
export function leafCase(
  { server, root }: CaseKeys,
  name: string,
  isAccepted: boolean,
  { leaf = {}, root: rootMore = {}, ...more }: { leaf?: Part; root?: Part; host?: string },
): CertificateCase {
  const signer = rootMore.key ?? root;
  const key = leaf.key ?? server;
  const sent = [oddCertificate({ key, signer, extensions: [san], ...leaf })];
  return { name, isAccepted, sent, key, roots: [rootOf(signer, rootMore)], host, ...more };
}
