import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { CertificateUnreadable } from './errors.ts';

/** One reason why a client would refuse a server's certificate, with what to do about it. */
export interface CertificateFinding {
  readonly kind: 'expired' | 'not-yet-valid' | 'wrong-name' | 'untrusted' | 'not-for-servers';
  readonly text: string;
  readonly fix: string;
}

/** What is asked of a server's certificate; times in milliseconds. */
export interface CertificateQuestion {
  /** The PEM that the server sends, its own certificate first. */
  readonly chain: string;
  /** The address as clients write it: `harbor.local:5000`, `[fd00::5]:443`, `10.0.0.5`. */
  readonly address: string;
  /** PEM of the authorities that the client trusts. */
  readonly trusted: string;
  readonly now: number;
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const serverUsage = '1.3.6.1.5.5.7.3.1';

/**
 * Reads every certificate of a PEM text, in its order.
 * CERTIFICATE_UNREADABLE, which names `label`, if there is none or one is damaged.
 */
export function readCertificates(pem: string, label: string): readonly X509Certificate[] {
  const blocks = pem.match(pemBlock) ?? [];
  if (blocks.length === 0) throw new CertificateUnreadable({ label });
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch (cause) {
    throw new CertificateUnreadable({ label }, { cause });
  }
}

/**
 * Says why Go clients such as containerd would refuse this certificate: all reasons, none if it
 * fits. `{ address: '10.0.0.10:443' }` with a certificate for 10.0.0.11 → one `wrong-name`.
 * The common name does not count (crypto/x509 ignores it since Go 1.15). CERTIFICATE_UNREADABLE.
 */
export function explainServerCertificate(
  question: CertificateQuestion,
): readonly CertificateFinding[] {
  const chain = readCertificates(question.chain, `the certificate of ${question.address}`);
  const trusted = readCertificates(question.trusted, 'the trusted CA');
  const [leaf] = chain;
  if (leaf === undefined) return [];
  return [
    ...nameFindings(leaf, question.address),
    ...chain.flatMap((certificate) => timeFindings(certificate, question.now)),
    ...usageFindings(leaf),
    ...chainFindings(leaf, chain.slice(1), trusted),
  ];
}

/** The names and addresses that a certificate is for: `['registry.local', '10.0.0.5']`. */
export function coveredNames(certificate: X509Certificate): readonly string[] {
  const names = certificate.subjectAltName?.split(', ') ?? [];
  return names.map((name) => name.replace(/^(DNS|IP Address):/, ''));
}

function nameFindings(leaf: X509Certificate, address: string): CertificateFinding[] {
  const host = hostOf(address);
  const covered =
    isIP(host) === 0
      ? leaf.checkHost(host, { subject: 'never' }) !== undefined
      : leaf.checkIP(host) !== undefined;
  if (covered) return [];
  const names = coveredNames(leaf);
  const listed = names.length === 0 ? 'no subject alternative name' : names.join(', ');
  return [
    {
      kind: 'wrong-name',
      text: `the certificate is valid for ${listed}, not ${host}`,
      fix: `Issue a certificate whose subject alternative names contain ${host}, or use a name it has.`,
    },
  ];
}

function hostOf(address: string): string {
  const bracketed = /^\[([^\]]+)\](:\d+)?$/.exec(address)?.[1];
  if (bracketed !== undefined) return bracketed;
  return isIP(address) === 6 ? address : address.replace(/:\d+$/, '');
}

function timeFindings(certificate: X509Certificate, now: number): CertificateFinding[] {
  const who = commonName(certificate.subject);
  if (Date.parse(certificate.validTo) < now) {
    const text = `the certificate of ${who} expired on ${certificate.validTo}`;
    return [{ kind: 'expired', text, fix: 'Renew it, or check the clock of this machine.' }];
  }
  if (Date.parse(certificate.validFrom) > now) {
    const text = `the certificate of ${who} is valid only from ${certificate.validFrom}`;
    return [{ kind: 'not-yet-valid', text, fix: 'Check the clock of this machine.' }];
  }
  return [];
}

function usageFindings(leaf: X509Certificate): CertificateFinding[] {
  // Typed as always present, but undefined for a certificate without the extension.
  const usages: readonly string[] | undefined = leaf.keyUsage;
  if (usages === undefined || usages.includes(serverUsage)) return [];
  return [
    {
      kind: 'not-for-servers',
      text: 'the certificate may not be used by a server (extended key usage)',
      fix: 'Issue one with the extended key usage serverAuth.',
    },
  ];
}

function chainFindings(
  leaf: X509Certificate,
  sent: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
): CertificateFinding[] {
  let last = leaf;
  for (let depth = 0; depth <= sent.length; depth += 1) {
    const at = last;
    if (trusted.some((ca) => isSame(ca, at) || isIssuedBy(at, ca))) return [];
    const next = sent.find((candidate) => !isSame(candidate, at) && isIssuedBy(at, candidate));
    if (next === undefined) break;
    last = next;
  }
  return [
    {
      kind: 'untrusted',
      text: `no trusted CA issued it: ${commonName(last.subject)} was issued by ${commonName(last.issuer)}`,
      fix: `Trust the CA ${commonName(last.issuer)}, or let the server send the certificates between.`,
    },
  ];
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isSame(a: X509Certificate, b: X509Certificate): boolean {
  return a.fingerprint256 === b.fingerprint256;
}

function commonName(name: string): string {
  return /^CN=(.*)$/m.exec(name)?.[1] ?? name.replaceAll('\n', ', ');
}
