import { createPublicKey, type KeyObject } from 'node:crypto';
import { type DerElement, DerReader, Malformed, Tags } from './der.ts';
import { bitString, integerBytes, isNegative, oidOf } from './der-values.ts';

/** What a certificate's key can be used for; `bits` is the size of an RSA modulus. */
export type PublicKey =
  | { readonly kind: 'rsa'; readonly bits: number; readonly key: KeyObject }
  | { readonly kind: 'ecdsa' | 'ed25519'; readonly key: KeyObject }
  /** Read by Go, but good for no signature in TLS: X25519, DSA. */
  | { readonly kind: 'other' }
  /** Unknown to Go, such as Ed448. */
  | { readonly kind: 'unknown' };

const algorithms: Readonly<Record<string, PublicKey['kind']>> = {
  '2a864886f70d010101': 'rsa',
  '2a8648ce3d0201': 'ecdsa',
  '2b6570': 'ed25519',
  '2b656e': 'other',
  '2a8648ce380401': 'other',
};

/** P-224, P-256, P-384 and P-521: the curves that Go has. */
const curves: ReadonlySet<string> = new Set([
  '2b81040021',
  '2a8648ce3d030107',
  '2b81040022',
  '2b81040023',
]);

/** Reads a SubjectPublicKeyInfo; what Go refuses throws {@link Malformed}. */
export function readPublicKey(info: DerElement): PublicKey {
  const reader = new DerReader(info.content);
  const { oid, parameters } = readAlgorithm(
    reader.read(Tags.sequence, 'malformed public key algorithm identifier'),
  );
  const { bytes } = bitString(
    reader.read(Tags.bitString, 'malformed subjectPublicKey'),
    'malformed subjectPublicKey',
  );
  const kind = algorithms[oid] ?? 'unknown';
  switch (kind) {
    case 'rsa':
      return { kind, bits: rsaBits(parameters, bytes), key: keyOf(info, 'invalid RSA public key') };
    case 'ecdsa':
      checkCurve(parameters, bytes);
      return { kind, key: keyOf(info, 'invalid ECDSA public key') };
    case 'ed25519':
      if (parameters !== undefined) {
        throw new Malformed('Ed25519 key encoded with illegal parameters');
      }
      return { kind, key: keyOf(info, 'wrong Ed25519 public key size') };
    case 'other':
    case 'unknown':
      return { kind };
  }
}

/** An AlgorithmIdentifier: its object identifier, and its parameters if there are any. */
export function readAlgorithm({ content }: DerElement): {
  readonly oid: string;
  readonly parameters: DerElement | undefined;
} {
  const reader = new DerReader(content);
  const oid = oidOf(reader.read(Tags.oid, 'malformed OID'), 'malformed OID');
  return { oid, parameters: reader.isEmpty ? undefined : reader.any('malformed parameters') };
}

/** True for NULL, which RSA wants where others want nothing. */
export function isNull(parameters: DerElement | undefined): boolean {
  return parameters?.whole.toString('hex') === '0500';
}

function rsaBits(parameters: DerElement | undefined, bytes: Buffer): number {
  if (!isNull(parameters)) throw new Malformed('RSA key missing NULL parameters');
  const key = new DerReader(bytes).inside(Tags.sequence, 'invalid RSA public key');
  const bad = 'invalid RSA modulus';
  const modulus = integerBytes(key.read(Tags.integer, bad), bad);
  const first = modulus.findIndex((byte) => byte !== 0);
  if (isNegative(modulus) || first === -1) {
    throw new Malformed('RSA modulus is not a positive number');
  }
  return (modulus.length - first) * 8 - Math.clz32(modulus[first] ?? 0) + 24;
}

function checkCurve(parameters: DerElement | undefined, point: Buffer): void {
  if (parameters?.tag !== Tags.oid) throw new Malformed('invalid ECDSA parameters');
  if (!curves.has(oidOf(parameters, 'invalid ECDSA parameters'))) {
    throw new Malformed('unsupported elliptic curve');
  }
  if (point[0] !== 4) throw new Malformed('invalid ECDSA public key: the point is compressed');
}

function keyOf({ whole }: DerElement, otherwise: string): KeyObject {
  try {
    return createPublicKey({ key: whole, format: 'der', type: 'spki' });
  } catch (cause) {
    throw new Malformed(otherwise, { cause });
  }
}
