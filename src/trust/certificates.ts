import { X509Certificate } from 'node:crypto';
import { CertificateUnreadable } from './errors.ts';

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

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
