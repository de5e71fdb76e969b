import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { systemClock } from '../../../src/shared/ports.ts';
import { createAuthority, issueServerCertificate } from '../../../src/trust/authority.ts';
import { readCertifiedKey, writeCertifiedKey } from '../../../src/trust/certificate-files.ts';

/** The oracle for our certificates is the real openssl: what it accepts, Go and curl accept. */
const run = promisify(execFile);
const openssl = async (...args: string[]) => (await run('openssl', args)).stdout;

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-openssl-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('openssl verifies our server certificates strictly', async (t) => {
  const folder = await emptyFolder(t);
  const authority = await createAuthority({ name: 'Site CA', validDays: 30 }, systemClock);
  const ca = (await writeCertifiedKey(folder, 'ca', authority)).certificatePath;
  const hosts = ['registry.local', '10.0.0.5', 'fd00::5'];
  const server = await issueServerCertificate({ hosts, validDays: 9 }, authority, systemClock);
  const serverPath = (await writeCertifiedKey(folder, 'server', server)).certificatePath;
  const verify = ['verify', '-x509_strict', '-check_ss_sig', '-CAfile', ca];

  for (const check of [
    ['-verify_hostname', 'registry.local'],
    ['-verify_ip', '10.0.0.5'],
    ['-verify_ip', 'fd00::5'],
  ]) {
    assert.match(await openssl(...verify, '-purpose', 'sslserver', ...check, serverPath), /: OK/);
  }
  await assert.rejects(openssl(...verify, '-verify_hostname', 'other.local', serverPath));
  await assert.rejects(openssl(...verify, '-purpose', 'sslclient', serverPath));
});

for (const kind of ['rsa:2048', 'ec'] as const) {
  test(`an authority that openssl made (${kind}) signs for us`, async (t) => {
    const folder = await emptyFolder(t);
    const [ca, key] = [join(folder, 'ca.pem'), join(folder, 'ca-key.pem')];
    const curve = kind === 'ec' ? ['-pkeyopt', 'ec_paramgen_curve:P-384'] : [];
    const made = ['-x509', '-newkey', kind, ...curve, '-nodes', '-days', '9', '-subj', '/CN=Own'];
    await openssl('req', ...made, '-keyout', key, '-out', ca);
    const authority = await readCertifiedKey(ca, key);

    const server = await issueServerCertificate(
      { hosts: ['a.local'], validDays: 1 },
      authority,
      systemClock,
    );

    const path = (await writeCertifiedKey(folder, 'server', server)).certificatePath;
    assert.match(await openssl('verify', '-CAfile', ca, path), /: OK/);
  });
}
