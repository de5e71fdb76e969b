import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { Secret } from '../../src/shared/secret.ts';
import type { CertifiedKey } from '../../src/trust/authority.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 60 * 60 * 1000;

/** A certificate of one day with which a client named `name` identifies itself, as an administrator hands it out. */
export async function issueClientCertificate(
  name: string,
  authority: CertifiedKey,
): Promise<CertifiedKey> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const [block = new ArrayBuffer()] = x509.PemConverter.decode(authority.key.reveal());
  const signingKey = await webcrypto.subtle.importKey('pkcs8', block, algorithm, false, ['sign']);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.create({
    notBefore: new Date(now - dayMs / 24),
    notAfter: new Date(now + dayMs),
    subject: [{ CN: [name] }],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const key = new Secret(x509.PemConverter.encode(der, 'PRIVATE KEY'));
  return { certificate: certificate.toString('pem'), key };
}
