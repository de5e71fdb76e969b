import { createPublicKey, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { Clock } from '../shared/ports.ts';
import { Secret } from '../shared/secret.ts';
import { AuthorityUnusable, CertificateHostInvalid } from './errors.ts';

/** A certificate with its key; `certificate` is one PEM, `key` a PKCS#8 PEM. */
export interface CertifiedKey {
  readonly certificate: string;
  readonly key: Secret;
}

/** What a server certificate is for: host names and addresses without ports, the first names it. */
export interface ServerCertificateRequest {
  readonly hosts: readonly string[];
  readonly validDays: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Clocks of nodes run apart; a certificate that is valid only from now on fails on the slow ones. */
const backdatedMs = 60 * 60 * 1000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/**
 * Makes a certificate authority (ECDSA P-256, path length 0).
 * `createAuthority({ name: 'slipway', validDays: 3650 }, clock)` → certificate and key.
 */
export async function createAuthority(
  request: { readonly name: string; readonly validDays: number },
  clock: Clock,
): Promise<CertifiedKey> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(request.validDays, clock),
    serialNumber: serialNumber(),
    name: [{ CN: [request.name] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pem(certificate), key: await exportKey(keys.privateKey) };
}

/**
 * Makes a certificate for a server: every host becomes a subject alternative name (DNS or IP; Go
 * clients such as containerd look nowhere else). It never outlives its authority.
 *
 * `{ hosts: ['registry.local', '10.0.0.5', '::1'], validDays: 365 }` → certificate and key.
 * CERTIFICATE_HOST_INVALID for a host with scheme, port or path; AUTHORITY_UNUSABLE.
 */
export async function issueServerCertificate(
  request: ServerCertificateRequest,
  authority: CertifiedKey,
  clock: Clock,
): Promise<CertifiedKey> {
  const names = request.hosts.map(alternativeName);
  const [first] = request.hosts;
  if (first === undefined) throw new CertificateHostInvalid({ host: '' });
  const issuer = await readAuthority(authority, clock);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { notBefore, notAfter } = validity(request.validDays, clock);
  const certificate = await x509.X509CertificateGenerator.create({
    notBefore,
    notAfter: new Date(Math.min(notAfter.getTime(), issuer.certificate.notAfter.getTime())),
    serialNumber: serialNumber(),
    subject: [{ CN: [first.slice(0, 64)] }],
    issuer: issuer.certificate.subjectName,
    publicKey: keys.publicKey,
    signingKey: issuer.key,
    signingAlgorithm: issuer.algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
      new x509.SubjectAlternativeNameExtension(names),
    ],
  });
  return { certificate: pem(certificate), key: await exportKey(keys.privateKey) };
}

async function readAuthority(authority: CertifiedKey, clock: Clock) {
  const read = new X509Certificate(authority.certificate);
  if (!read.ca) throw new AuthorityUnusable({ because: 'its certificate is not one of a CA' });
  if (Date.parse(read.validTo) <= clock.now()) {
    throw new AuthorityUnusable({ because: `it expired on ${read.validTo}` });
  }
  const wanted = signatureAlgorithm(read);
  const key = await importKey(authority.key, wanted);
  const own = createPublicKey(authority.key.reveal());
  if (!read.publicKey.equals(own)) {
    throw new AuthorityUnusable({ because: 'its key does not belong to its certificate' });
  }
  return { certificate: new x509.X509Certificate(read.raw), key, algorithm: wanted };
}

/** An authority that somebody else made may have an RSA key or another curve. */
function signatureAlgorithm(certificate: X509Certificate) {
  const type = certificate.publicKey.asymmetricKeyType;
  if (type === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const curve = certificate.publicKey.asymmetricKeyDetails?.namedCurve;
  const namedCurve = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }[curve ?? ''];
  if (type === 'ec' && namedCurve !== undefined) {
    return { name: 'ECDSA', namedCurve, hash: 'SHA-256' };
  }
  throw new AuthorityUnusable({ because: `keys of type ${curve ?? type} are not supported` });
}

async function importKey(key: Secret, wanted: { name: string; hash: string }) {
  try {
    const [block] = x509.PemConverter.decodeWithHeaders(key.reveal());
    if (block?.type !== 'PRIVATE KEY') throw new Error(`found ${block?.type ?? 'no PEM block'}`);
    return await webcrypto.subtle.importKey('pkcs8', block.rawData, wanted, false, ['sign']);
  } catch (cause) {
    throw new AuthorityUnusable({ because: 'its key is not an unencrypted PKCS#8 PEM' }, { cause });
  }
}

function alternativeName(host: string): x509.JsonGeneralName {
  if (isIP(host) !== 0) return { type: 'ip', value: host };
  const isName = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
  if (host.length > 253 || !isName.test(host)) throw new CertificateHostInvalid({ host });
  return { type: 'dns', value: host.toLowerCase() };
}

function validity(days: number, clock: Clock) {
  const now = clock.now();
  return { notBefore: new Date(now - backdatedMs), notAfter: new Date(now + days * dayMs) };
}

/** 127 random bits: positive, and never the same twice (RFC 5280, 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString('hex');
}

async function exportKey(key: webcrypto.CryptoKey): Promise<Secret> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key);
  return new Secret(`${x509.PemConverter.encode(der, 'PRIVATE KEY')}\n`);
}

function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
