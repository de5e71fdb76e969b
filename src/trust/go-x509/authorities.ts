import { type GoCertificate, readCertificate } from './certificate.ts';
import { Malformed } from './der.ts';

/** Certificates to build chains with, found by subject. */
export class CertificatePool {
  readonly #bySubject = new Map<string, GoCertificate[]>();
  readonly #wholes = new Set<string>();

  add(certificate: GoCertificate): void {
    const whole = certificate.whole.toString('latin1');
    if (this.#wholes.has(whole)) return;
    this.#wholes.add(whole);
    const subject = certificate.subjectBytes.toString('latin1');
    const known = this.#bySubject.get(subject);
    if (known === undefined) this.#bySubject.set(subject, [certificate]);
    else known.push(certificate);
  }

  /** Every certificate, each once. */
  *all(): Generator<GoCertificate> {
    for (const certificates of this.#bySubject.values()) yield* certificates;
  }

  has(certificate: GoCertificate): boolean {
    return this.#wholes.has(certificate.whole.toString('latin1'));
  }

  /** Those with the name of the issuer; the ones with its key identifier first, as Go tries them. */
  issuersOf({ issuerBytes, extensions }: GoCertificate): readonly GoCertificate[] {
    const candidates = this.#bySubject.get(issuerBytes.toString('latin1')) ?? [];
    const rank = ({ extensions: { subjectKeyId } }: GoCertificate) => {
      if (subjectKeyId.equals(extensions.authorityKeyId)) return 0;
      return subjectKeyId.length === 0 || extensions.authorityKeyId.length === 0 ? 1 : 2;
    };
    return candidates.toSorted((a, b) => rank(a) - rank(b));
  }
}

const pemBlock = /-----BEGIN CERTIFICATE-----\s([^-:]+)-----END CERTIFICATE-----/g;

/**
 * A pool of all certificates in PEM texts. What Go cannot read is left out without a word, as
 * AppendCertsFromPEM does it. What is in `base` is in it too, without being read again.
 */
export function readPool(pems: Iterable<string>, base?: CertificatePool): CertificatePool {
  const pool = new CertificatePool();
  for (const certificate of base?.all() ?? []) pool.add(certificate);
  for (const pem of new Set(pems)) {
    for (const [, base64 = ''] of pem.matchAll(pemBlock)) {
      const certificate = readable(Buffer.from(base64, 'base64'));
      if (certificate !== undefined) pool.add(certificate);
    }
  }
  return pool;
}

function readable(der: Buffer): GoCertificate | undefined {
  try {
    return readCertificate(der);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
