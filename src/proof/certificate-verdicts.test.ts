import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import test, { type TestContext } from 'node:test';
import {
  authorityParts,
  type CaseKeys,
  caseKeys,
  type Part,
  rootOf,
} from '../../test/support/certificate-case.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import {
  commonName,
  keyUsage,
  names,
  oddCertificate,
  pemOf,
} from '../../test/support/odd-certificate.ts';
import { offlineSite, proveSample, rulesTo } from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { startRegistry } from '../../test/support/start-registry.ts';
import type { Failure } from './report.ts';

const localhost = names({ dns: ['localhost'] });

/** Proves against a registry whose certificate is described; the node trusts its authority. */
async function proveWith(t: TestContext, leaf: Part, keys: CaseKeys = caseKeys()) {
  const { server, root } = keys;
  const certificate = oddCertificate({
    key: server,
    signer: root,
    extensions: [localhost],
    ...leaf,
  });
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const registry = await startRegistry(t, { tls: { cert: pemOf(certificate), key } });
  await fillRegistry(registry, sampleLock());
  const report = await proveSample(t, {
    site: offlineSite(`localhost:${registry.port}`),
    configuration: {
      hosts: rulesTo(`https://localhost:${registry.port}`, 'ca = "/etc/site.pem"'),
      files: { '/etc/site.pem': pemOf(rootOf(root)) },
    },
  });
  return { report, registry };
}

const refused: ReadonlyArray<readonly [name: string, leaf: Part, summary: RegExp]> = [
  ['only a common name', { subject: commonName('localhost'), extensions: [] }, /no name at all/],
  ['a wildcard within its label', { extensions: [names({ dns: ['local*'] })] }, /is for local\*/],
  ['a negative serial number', { serial: Buffer.from([0x81]) }, /negative serial number/],
  ['an unreadable URI', { extensions: [names({ dns: ['localhost'], uri: ['http://[x'] })] }, /URI/],
  ['a SHA-1 signature', { hash: 'sha1' }, /SHA-1/],
];

for (const [name, leaf, summary] of refused) {
  test(`unreachable: a certificate with ${name}, which Go refuses and nothing is sent to`, async (t) => {
    const { report, registry } = await proveWith(t, leaf);

    const failures = report.results.map(({ verdict }) => verdict as Failure); // shown right below
    assert.deepEqual([...new Set(failures.map(({ kind }) => kind))], ['unreachable']);
    assert.match(failures[0]?.summary ?? '', summary);
    assert.deepEqual(registry.log, []);
  });
}

const accepted: ReadonlyArray<readonly [name: string, leaf: Part]> = [
  ['whose key may only sign certificates', { extensions: [localhost, keyUsage(5)] }],
  ['that is one of an authority', { extensions: [localhost, ...authorityParts] }],
  ['with a wildcard', { extensions: [names({ dns: ['localhost', '*.example'] })] }],
];

for (const [name, leaf] of accepted) {
  test(`proven: a certificate ${name}, as Go takes it`, async (t) => {
    const { report } = await proveWith(t, leaf);

    assert.equal(report.totals.failed, 0, JSON.stringify(report.results[0]));
  });
}

test('unreachable: a registry that offers only what Go does not (an old cipher suite)', async (t) => {
  const { server, root } = caseKeys();
  const cert = pemOf(oddCertificate({ key: server, signer: root, extensions: [localhost] }));
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const old = createServer({
    cert,
    key,
    maxVersion: 'TLSv1.2',
    ciphers: 'ECDHE-ECDSA-AES256-SHA384',
  });
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => old.close(resolve)));
  const address = old.address();
  const host = `localhost:${typeof address === 'object' ? address?.port : ''}`;

  const report = await proveSample(t, {
    site: offlineSite(host),
    configuration: {
      hosts: rulesTo(`https://${host}`, 'ca = "/etc/site.pem"'),
      files: { '/etc/site.pem': pemOf(rootOf(root)) },
    },
  });

  assert.equal(report.results[0]?.verdict.kind, 'unreachable');
  assert.match(JSON.stringify(report.results[0]), /handshake/);
});
