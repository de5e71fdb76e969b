/** One certificate as Go's crypto/x509 reads it, which refuses what OpenSSL lets pass. */
import { contextTag, DerReader, Malformed, Tags } from './der.ts';
import { bitString, integerBytes, isNegative, smallInteger, timeOf } from './der-values.ts';
import { readName } from './distinguished-name.ts';
import { type Extensions, noExtensions, readExtensions } from './extensions.ts';
import { type PublicKey, readPublicKey } from './public-key.ts';
import { readSignatureAlgorithm, type SignatureAlgorithm } from './signature.ts';

/** What a check needs of a certificate; times in milliseconds. */
export interface GoCertificate {
  readonly whole: Buffer;
  readonly version: number;
  /** What people call its subject and its issuer. */
  readonly subject: string;
  readonly issuer: string;
  readonly subjectBytes: Buffer;
  readonly issuerBytes: Buffer;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKey: PublicKey;
  readonly publicKeyBytes: Buffer;
  readonly algorithm: SignatureAlgorithm;
  readonly signed: Buffer;
  readonly signature: Buffer;
  readonly extensions: Extensions;
}

/** Reads DER; {@link Malformed} says in Go's words why Go refuses it. */
export function readCertificate(der: Uint8Array): GoCertificate {
  const outside = new DerReader(Buffer.from(der));
  const whole = outside.read(Tags.sequence, 'malformed certificate');
  if (!outside.isEmpty) throw new Malformed('trailing data');
  const reader = new DerReader(whole.content);
  const body = reader.read(Tags.sequence, 'malformed tbs certificate');
  const outer = reader.read(Tags.sequence, 'malformed algorithm identifier');
  const { inner, ...fields } = readBody(new DerReader(body.content));
  if (!inner.content.equals(outer.content)) {
    throw new Malformed("inner and outer signature algorithm identifiers don't match");
  }
  const bad = 'malformed signature';
  const { bytes } = bitString(reader.read(Tags.bitString, bad), bad);
  return {
    ...fields,
    whole: whole.whole,
    algorithm: readSignatureAlgorithm(inner),
    signed: body.whole,
    signature: bytes,
  };
}

function readBody(body: DerReader) {
  const version = readVersion(body);
  const serial = integerBytes(
    body.read(Tags.integer, malformed('serial number')),
    'malformed serial number',
  );
  if (isNegative(serial)) throw new Malformed('negative serial number');
  const inner = body.read(Tags.sequence, malformed('signature algorithm identifier'));
  const issuer = body.read(Tags.sequence, malformed('issuer'));
  const validity = body.inside(Tags.sequence, malformed('validity'));
  const subject = body.read(Tags.sequence, malformed('issuer'));
  const key = body.read(Tags.sequence, malformed('spki'));
  return {
    inner,
    version,
    issuer: readName(issuer),
    issuerBytes: issuer.whole,
    notBefore: timeOf(validity.any('malformed validity')),
    notAfter: timeOf(validity.any('malformed validity')),
    subject: readName(subject),
    subjectBytes: subject.whole,
    publicKey: readPublicKey(key),
    publicKeyBytes: key.whole,
    extensions: readTail(body, version),
  };
}

function malformed(what: string): string {
  return `malformed ${what}`;
}

function readVersion(body: DerReader): number {
  const explicit = body.optional(contextTag(0, true), 'malformed version');
  if (explicit === undefined) return 1;
  const number = new DerReader(explicit.content).read(Tags.integer, 'malformed version');
  const version = smallInteger(number, 'malformed version') + 1;
  if (version > 3) throw new Malformed('invalid version');
  return version;
}

function readTail(body: DerReader, version: number): Extensions {
  if (version > 1) {
    body.optional(contextTag(1), 'malformed issuerUniqueID');
    body.optional(contextTag(2), 'malformed subjectUniqueID');
  }
  if (version < 3 || !body.has(contextTag(3, true))) return noExtensions;
  const bad = 'malformed extensions';
  return readExtensions(body.inside(contextTag(3, true), bad).inside(Tags.sequence, bad));
}
