import { systemClock } from '../../src/shared/ports.ts';
import {
  type CertifiedKey,
  createAuthority,
  issueServerCertificate,
} from '../../src/trust/authority.ts';

/** A new authority and a certificate of it for a test's HTTPS server. */
export interface TestCertificate {
  /** PEM of the authority. */
  readonly ca: string;
  readonly authority: CertifiedKey;
  /** What node:https takes. */
  readonly tls: { readonly cert: string; readonly key: string };
}

/** `await serverCertificate(['registry.test'])`; for localhost unless other hosts are given. */
export async function serverCertificate(
  hosts: readonly string[] = ['localhost'],
): Promise<TestCertificate> {
  const authority = await createAuthority({ name: 'test authority', validDays: 2 }, systemClock);
  const request = { hosts, validDays: 1 };
  const { certificate, key } = await issueServerCertificate(request, authority, systemClock);
  return { ca: authority.certificate, authority, tls: { cert: certificate, key: key.reveal() } };
}
