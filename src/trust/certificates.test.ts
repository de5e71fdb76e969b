import assert from 'node:assert/strict';
import test from 'node:test';
import { issueClientCertificate } from '../../test/support/client-certificate.ts';
import { systemClock } from '../shared/ports.ts';
import { createAuthority, issueServerCertificate } from './authority.ts';
import { readCertificates } from './certificates.ts';
import { readPool } from './go-x509/authorities.ts';
import { refuseServer } from './go-x509/refuse-server.ts';

const now = Date.now();

async function fixture(hosts: readonly string[]) {
  const authority = await createAuthority({ name: 'Site CA', validDays: 30 }, systemClock);
  const issued = await issueServerCertificate({ hosts, validDays: 10 }, authority, systemClock);
  return { authority, issued };
}

test('Go takes the certificates that we issue, for every name and address in them', async () => {
  const hosts = ['harbor.local', '*.apps.local', '10.0.0.11', 'fd00::5'];
  const { authority, issued } = await fixture(hosts);
  const roots = readPool([authority.certificate]);
  const sent = readCertificates(issued.certificate, 'it').map(({ raw }) => raw);

  for (const host of ['harbor.local', 'x.apps.local', '10.0.0.11', 'fd00::5', '[fd00::5]']) {
    assert.equal(refuseServer({ sent, host, roots, now })?.reason, undefined);
  }
  assert.equal(refuseServer({ sent, host: '10.0.0.10', roots, now })?.kind, 'wrong-name');
});

test('Go takes no certificate for clients from a server', async () => {
  const { authority } = await fixture(['a.local']);
  const client = await issueClientCertificate('a.local', authority);
  const sent = readCertificates(client.certificate, 'it').map(({ raw }) => raw);
  const roots = readPool([authority.certificate]);

  assert.notEqual(refuseServer({ sent, host: 'a.local', roots, now }), undefined);
});

test('several certificates of one PEM are read in order; none or a damaged one is an error', async () => {
  const { authority, issued } = await fixture(['a.local']);
  const both = `comment\n${issued.certificate}${authority.certificate}`;

  const subjects = readCertificates(both, 'both.pem').map((certificate) => certificate.subject);

  assert.deepEqual(subjects, ['CN=a.local', 'CN=Site CA']);
  const unreadable = { code: 'CERTIFICATE_UNREADABLE', message: /ca\.pem/ };
  assert.throws(() => readCertificates('', 'ca.pem'), unreadable);
  const damaged = authority.certificate.replace('MII', 'AAA').replace(/\n[\w+/]{20}/, '\n');
  assert.throws(() => readCertificates(damaged, 'ca.pem'), unreadable);
});
