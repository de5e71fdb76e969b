/** The certificates of one run. Their keys differ from run to run; nothing that is compared shows them. */

import { systemClock } from '../../../src/shared/ports.ts';
import {
  type CertifiedKey,
  createAuthority,
  issueServerCertificate,
} from '../../../src/trust/authority.ts';
import { otherAuthority, siteAuthority } from './world/names.ts';

export interface Pki {
  /** What hosts.toml files name, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly system: CertifiedKey;
  readonly site: CertifiedKey;
  readonly foreign: CertifiedKey;
}

/** Where hosts.toml files find certificates. */
export const tlsFolder = '/etc/containerd/tls';

export async function createPki(): Promise<Pki> {
  const [system, site, other, foreign] = await Promise.all(
    ['oracle system authority', siteAuthority, otherAuthority, 'nobody'].map((name) =>
      createAuthority({ name, validDays: 2 }, systemClock),
    ),
  );
  if (!(system && site && other && foreign)) throw new TypeError('four authorities were made');
  const client = await issueServerCertificate(
    { hosts: ['client.example'], validDays: 1 },
    site,
    systemClock,
  );
  const files = {
    'site.pem': site.certificate,
    'other.pem': other.certificate,
    'client.crt': client.certificate,
    'client.key': client.key.reveal(),
    'client.pem': `${client.certificate}\n${client.key.reveal()}`,
    'empty.pem': 'no certificate\n',
  };
  const placed = Object.entries(files).map(([name, text]): [string, string] => [
    `${tlsFolder}/${name}`,
    text,
  ]);
  return { files: Object.fromEntries(placed), system, site, foreign };
}
