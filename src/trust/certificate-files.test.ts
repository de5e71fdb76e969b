import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { systemClock } from '../shared/ports.ts';
import { createAuthority } from './authority.ts';
import { readCertifiedKey, readTlsTrust, writeCertifiedKey } from './certificate-files.ts';

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-trust-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('a written key is for its owner only and reads back with its certificate', async (t) => {
  const folder = await emptyFolder(t);
  const authority = await createAuthority({ name: 'CA', validDays: 1 }, systemClock);

  const { certificatePath, keyPath } = await writeCertifiedKey(folder, 'ca', authority);

  assert.equal((await stat(keyPath)).mode & 0o777, 0o600);
  const read = await readCertifiedKey(certificatePath, keyPath);
  assert.equal(read.certificate, authority.certificate);
  assert.equal(read.key.reveal(), authority.key.reveal());
});

test('the trust of a registry is read from its files; what is missing or wrong is named', async (t) => {
  const folder = await emptyFolder(t);
  const authority = await createAuthority({ name: 'CA', validDays: 1 }, systemClock);
  const { certificatePath, keyPath } = await writeCertifiedKey(folder, 'ca', authority);
  const noPem = join(folder, 'empty.pem');
  await writeFile(noPem, 'nothing\n');

  const trust = await readTlsTrust({
    ca: certificatePath,
    clientCertificate: certificatePath,
    clientKey: keyPath,
  });

  assert.equal(trust.ca, authority.certificate);
  assert.equal(trust.clientKey?.reveal(), authority.key.reveal());
  assert.equal('skipVerify' in trust, false);
  await assert.rejects(readTlsTrust({ ca: join(folder, 'gone.pem') }), {
    code: 'TRUST_FILE_UNREADABLE',
    message: /CA certificate .*gone\.pem/,
  });
  await assert.rejects(readTlsTrust({ ca: noPem }), { code: 'CERTIFICATE_UNREADABLE' });
});
