import { join } from 'node:path';
import { writeFileAtomic } from '../shared/atomic-file.ts';
import { readInputFile } from '../shared/input-file.ts';
import { Secret } from '../shared/secret.ts';
import type { CertifiedKey } from './authority.ts';
import { readCertificates } from './certificates.ts';
import { TrustFileUnreadable } from './errors.ts';
import type { TlsTrust } from './ports.ts';

/** A file with all authorities of the world has a quarter of that. */
const maxBytes = 1024 * 1024;

/** Paths of a registry's TLS material, as documents and options give them. */
export interface TlsTrustPaths {
  readonly ca?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly skipVerify?: boolean | undefined;
}

/**
 * Writes `NAME.pem` (0644) and `NAME-key.pem` (0600) into `folder`; the key first, so that a
 * certificate that is there always has its key.
 */
export async function writeCertifiedKey(
  folder: string,
  name: string,
  issued: CertifiedKey,
): Promise<{ readonly certificatePath: string; readonly keyPath: string }> {
  const certificatePath = join(folder, `${name}.pem`);
  const keyPath = join(folder, `${name}-key.pem`);
  await writeFileAtomic(keyPath, issued.key.reveal(), 0o600);
  await writeFileAtomic(certificatePath, issued.certificate);
  return { certificatePath, keyPath };
}

/**
 * Reads a certificate and its key from two files.
 * TRUST_FILE_UNREADABLE, CERTIFICATE_UNREADABLE.
 */
export async function readCertifiedKey(
  certificatePath: string,
  keyPath: string,
): Promise<CertifiedKey> {
  const certificate = await readCertificateFile('certificate', certificatePath);
  return { certificate, key: new Secret(await read('key', keyPath)) };
}

/**
 * Reads the files that a document's `trust` names: `{ ca: '/etc/ca.pem' }` → their PEM texts.
 * TRUST_FILE_UNREADABLE, CERTIFICATE_UNREADABLE.
 */
export async function readTlsTrust(paths: TlsTrustPaths): Promise<TlsTrust> {
  const { ca, clientCertificate, clientKey, skipVerify } = paths;
  return {
    ...(ca !== undefined && { ca: await readCertificateFile('CA certificate', ca) }),
    ...(clientCertificate !== undefined && {
      clientCertificate: await readCertificateFile('client certificate', clientCertificate),
    }),
    ...(clientKey !== undefined && { clientKey: new Secret(await read('client key', clientKey)) }),
    ...(skipVerify === true && { skipVerify }),
  };
}

async function readCertificateFile(what: string, path: string): Promise<string> {
  const pem = await read(what, path);
  readCertificates(pem, path);
  return pem;
}

async function read(what: string, path: string): Promise<string> {
  try {
    return (await readInputFile(path, maxBytes)).toString('utf8');
  } catch (cause) {
    throw new TrustFileUnreadable({ what, path }, { cause });
  }
}
