import type { CertificatePool } from './authorities.ts';
import type { GoCertificate } from './certificate.ts';
import { refuseSignature } from './signature.ts';

/** What chains are built from; `now` in milliseconds. */
export interface ChainSource {
  readonly roots: CertificatePool;
  readonly intermediates: CertificatePool;
  readonly now: number;
}

/** Chains from the server's certificate to a root, or the first reason why there is none. */
export interface BuiltChains {
  readonly chains: readonly (readonly GoCertificate[])[];
  readonly hint?: string;
}

/** Go gives up after as many signatures; a handshake is not to cost more. */
const maxSignatures = 100;
const certSign = 1 << 5;

/** All chains that Go would consider. Source: crypto/x509, Certificate.buildChains. */
export function buildChains(leaf: GoCertificate, source: ChainSource): BuiltChains {
  if (source.roots.has(leaf)) return { chains: [[leaf]] };
  const builder = new ChainBuilder(source);
  builder.extend([leaf], leaf);
  return {
    chains: builder.chains,
    ...(builder.hint === undefined ? {} : { hint: builder.hint }),
  };
}

class ChainBuilder {
  readonly chains: (readonly GoCertificate[])[] = [];
  readonly #source: ChainSource;
  #signatures = 0;
  hint: string | undefined;

  constructor(source: ChainSource) {
    this.#source = source;
  }

  extend(chain: readonly GoCertificate[], last: GoCertificate): void {
    const { roots, intermediates } = this.#source;
    for (const issuer of roots.issuersOf(last)) {
      if (this.#fits(issuer, chain, last, 'root')) this.chains.push([...chain, issuer]);
    }
    for (const issuer of intermediates.issuersOf(last)) {
      if (this.#fits(issuer, chain, last, 'intermediate')) this.extend([...chain, issuer], issuer);
    }
  }

  #fits(
    issuer: GoCertificate,
    chain: readonly GoCertificate[],
    last: GoCertificate,
    kind: 'root' | 'intermediate',
  ): boolean {
    this.#signatures += 1;
    if (this.#signatures > maxSignatures || isInChain(issuer, chain)) return false;
    const refusal =
      refuseIssuer(last, issuer) ??
      refuseInChain(issuer, { kind, below: chain.length - 1, now: this.#source.now });
    if (refusal === undefined) return true;
    this.hint ??= refusal;
    return false;
  }
}

/** The same subject, key and names: the same authority, maybe signed by somebody else. */
function isInChain(candidate: GoCertificate, chain: readonly GoCertificate[]): boolean {
  return chain.some(
    (one) =>
      one.subjectBytes.equals(candidate.subjectBytes) &&
      one.publicKeyBytes.equals(candidate.publicKeyBytes) &&
      isSameValue(one.extensions.namesValue, candidate.extensions.namesValue),
  );
}

function isSameValue(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}

/** Source: crypto/x509, Certificate.CheckSignatureFrom. */
function refuseIssuer(
  { algorithm, signed, signature, subject }: GoCertificate,
  issuer: GoCertificate,
): string | undefined {
  const { basic, keyUsage = 0 } = issuer.extensions;
  const isAuthority = basic === undefined ? issuer.version < 3 : basic.isAuthority;
  if (!isAuthority) return `${issuer.subject} is no authority (basic constraints)`;
  if (keyUsage !== 0 && (keyUsage & certSign) === 0) {
    return `${issuer.subject} may not sign certificates (key usage)`;
  }
  const refusal = refuseSignature(algorithm, { signed, signature }, issuer.publicKey);
  return refusal && `the certificate of ${subject} is not accepted: ${refusal}`;
}

/** Where a certificate stands in its chain. */
export interface ChainPlace {
  readonly kind: 'leaf' | 'root' | 'intermediate';
  /** How many certificates are between it and the server's own. */
  readonly below: number;
  readonly now: number;
}

/** What is wrong with the certificate by itself. Source: crypto/x509, Certificate.isValid. */
export function refuseInChain(
  { subject, notBefore, notAfter, extensions }: GoCertificate,
  { kind, below, now }: ChainPlace,
): string | undefined {
  const { basic, hasUnknownCritical } = extensions;
  if (hasUnknownCritical) {
    return `the certificate of ${subject} has a critical extension that Go does not know`;
  }
  if (now < notBefore) return `the certificate of ${subject} is valid only from ${day(notBefore)}`;
  if (now > notAfter) return `the certificate of ${subject} expired on ${day(notAfter)}`;
  if (kind === 'intermediate' && basic?.isAuthority !== true) {
    return `${subject} is no authority (basic constraints)`;
  }
  if (basic?.pathLength !== undefined && below > basic.pathLength) {
    return `${subject} may not have ${below} authorities below it (path length)`;
  }
  return undefined;
}

function day(time: number): string {
  return new Date(time).toISOString();
}
