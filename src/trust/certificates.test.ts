import assert from 'node:assert/strict';
import test from 'node:test';
import { systemClock } from '../shared/ports.ts';
import { createAuthority, issueClientCertificate, issueServerCertificate } from './authority.ts';
import { explainServerCertificate, readCertificates } from './certificates.ts';

const now = Date.now();
const dayMs = 86_400_000;

async function serverFixture(hosts: readonly string[]) {
  const authority = await createAuthority({ name: 'Site CA', validDays: 30 }, systemClock);
  const issued = await issueServerCertificate({ hosts, validDays: 10 }, authority, systemClock);
  return { authority, issued };
}

test('a certificate that fits has no findings, whatever the way its address is written', async () => {
  const hosts = ['harbor.local', '*.apps.local', '10.0.0.11', 'fd00::5'];
  const { authority, issued } = await serverFixture(hosts);
  const addresses = ['harbor.local', 'harbor.local:5000', 'x.apps.local', '10.0.0.11:443'];

  for (const address of [...addresses, '[fd00::5]:443', 'fd00::5']) {
    const trusted = authority.certificate;
    const findings = explainServerCertificate({ chain: issued.certificate, address, trusted, now });
    assert.deepEqual(findings, [], address);
  }
});

test('all reasons are named at once: name, time and CA', async () => {
  const { issued } = await serverFixture(['10.0.0.11']);
  const other = await createAuthority({ name: 'Other CA', validDays: 30 }, systemClock);

  const findings = explainServerCertificate({
    chain: issued.certificate,
    address: '10.0.0.10:443',
    trusted: other.certificate,
    now: now + 11 * dayMs,
  });

  assert.deepEqual(
    findings.map((finding) => finding.kind),
    ['wrong-name', 'expired', 'untrusted'],
  );
  assert.match(findings[0]?.text ?? '', /valid for 10\.0\.0\.11, not 10\.0\.0\.10$/);
  assert.match(findings[2]?.fix ?? '', /Trust the CA Site CA/);
});

test('a certificate of tomorrow and one for clients are found', async () => {
  const authority = await createAuthority({ name: 'Site CA', validDays: 30 }, systemClock);
  const request = { name: 'node-1', validDays: 10 };
  const client = await issueClientCertificate(request, authority, systemClock);

  const findings = explainServerCertificate({
    chain: client.certificate,
    address: 'node-1',
    trusted: authority.certificate,
    now: now - dayMs,
  });

  const kinds = findings.map((finding) => finding.kind);
  assert.deepEqual(kinds, ['wrong-name', 'not-yet-valid', 'not-for-servers']);
});

test('several certificates of one PEM are read in order; none or a damaged one is an error', async () => {
  const { authority, issued } = await serverFixture(['a.local']);
  const both = `comment\n${issued.certificate}${authority.certificate}`;

  const subjects = readCertificates(both, 'both.pem').map((certificate) => certificate.subject);

  assert.deepEqual(subjects, ['CN=a.local', 'CN=Site CA']);
  const unreadable = { code: 'CERTIFICATE_UNREADABLE', message: /ca\.pem/ };
  assert.throws(() => readCertificates('', 'ca.pem'), unreadable);
  const damaged = authority.certificate.replace('MII', 'AAA').replace(/\n[\w+/]{20}/, '\n');
  assert.throws(() => readCertificates(damaged, 'ca.pem'), unreadable);
});
