import { constants, type KeyObject, verify } from 'node:crypto';
import { contextTag, type DerElement, DerReader, Malformed, Tags } from './der.ts';
import { smallInteger } from './der-values.ts';
import { isNull, type PublicKey, readAlgorithm } from './public-key.ts';

/** How a certificate was signed, as far as Go knows the way. */
export interface SignatureAlgorithm {
  readonly by: 'rsa' | 'rsa-pss' | 'ecdsa' | 'ed25519' | 'unknown';
  /** In Node's words; empty for Ed25519. */
  readonly hash: string;
}

const known: Readonly<Record<string, SignatureAlgorithm>> = {
  '2a864886f70d010104': { by: 'rsa', hash: 'md5' },
  '2a864886f70d010105': { by: 'rsa', hash: 'sha1' },
  '2b0e03021d': { by: 'rsa', hash: 'sha1' },
  '2a864886f70d01010b': { by: 'rsa', hash: 'sha256' },
  '2a864886f70d01010c': { by: 'rsa', hash: 'sha384' },
  '2a864886f70d01010d': { by: 'rsa', hash: 'sha512' },
  '2a8648ce3d0401': { by: 'ecdsa', hash: 'sha1' },
  '2a8648ce3d040302': { by: 'ecdsa', hash: 'sha256' },
  '2a8648ce3d040303': { by: 'ecdsa', hash: 'sha384' },
  '2a8648ce3d040304': { by: 'ecdsa', hash: 'sha512' },
};

const unknown: SignatureAlgorithm = { by: 'unknown', hash: '' };
const pss = '2a864886f70d01010a';
const maskFunction = '2a864886f70d010108';
const pssHashes: Readonly<Record<string, readonly [hash: string, saltBytes: number]>> = {
  '608648016503040201': ['sha256', 32],
  '608648016503040202': ['sha384', 48],
  '608648016503040203': ['sha512', 64],
};

/** The algorithm that an AlgorithmIdentifier names. Source: crypto/x509, getSignatureAlgorithmFromAI. */
export function readSignatureAlgorithm(identifier: DerElement): SignatureAlgorithm {
  const { oid, parameters } = readAlgorithm(identifier);
  if (oid === '2b6570') return parameters === undefined ? { by: 'ed25519', hash: '' } : unknown;
  if (oid !== pss) return known[oid] ?? unknown;
  try {
    return parameters === undefined ? unknown : readPss(parameters);
  } catch (error) {
    if (error instanceof Malformed) return unknown;
    throw error;
  }
}

/** Only the three usual combinations: the same hash everywhere, and a salt of its size. */
function readPss({ content }: DerElement): SignatureAlgorithm {
  const bad = 'malformed PSS parameters';
  const reader = new DerReader(content);
  const hash = readAlgorithm(reader.inside(contextTag(0, true), bad).read(Tags.sequence, bad));
  const mask = readAlgorithm(reader.inside(contextTag(1, true), bad).read(Tags.sequence, bad));
  const salt = reader.inside(contextTag(2, true), bad).read(Tags.integer, bad);
  const maskHash = mask.parameters === undefined ? undefined : readAlgorithm(mask.parameters);
  const [name, saltBytes] = pssHashes[hash.oid] ?? [];
  const fits =
    mask.oid === maskFunction &&
    maskHash?.oid === hash.oid &&
    [hash, maskHash].every(({ parameters }) => parameters === undefined || isNull(parameters)) &&
    smallInteger(salt, bad) === saltBytes;
  return fits && name !== undefined ? { by: 'rsa-pss', hash: name } : unknown;
}

const weakHashes: Readonly<Record<string, string>> = { md5: 'MD5', sha1: 'SHA-1' };

/** Keys below this are refused since Go 1.24, whatever they sign. */
export const minRsaBits = 1024;

/** What was signed, and the signature. */
export interface Signed {
  readonly signed: Buffer;
  readonly signature: Buffer;
}

const notByIssuer = 'it is not signed by the key of its issuer';

/** Why Go does not believe a signature by this key; undefined when it does. */
export function refuseSignature(
  algorithm: SignatureAlgorithm,
  certificate: Signed,
  signer: PublicKey,
): string | undefined {
  const { by, hash } = algorithm;
  if (by === 'unknown') return 'it is signed in a way that Go does not know';
  const weak = weakHashes[hash];
  if (weak !== undefined) return `it is signed with ${weak}, which Go does not accept`;
  if (signer.kind === 'other' || signer.kind === 'unknown') return notByIssuer;
  if (signer.kind !== (by === 'rsa-pss' ? 'rsa' : by)) return notByIssuer;
  if (signer.kind === 'rsa' && signer.bits < minRsaBits) {
    return `it is signed with an RSA key of ${signer.bits} bits; Go wants ${minRsaBits}`;
  }
  return isSigned(algorithm, certificate, signer.key) ? undefined : notByIssuer;
}

function isSigned({ by, hash }: SignatureAlgorithm, certificate: Signed, key: KeyObject): boolean {
  const { signed, signature } = certificate;
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
  const verifier = by === 'rsa-pss' ? { key, padding, saltLength } : { key };
  return verify(hash === '' ? null : hash, signed, verifier, signature);
}
