import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import * as tls from 'node:tls';
import { issueClientCertificate } from '../../test/support/client-certificate.ts';
import type { Clock } from '../shared/ports.ts';
import { systemClock } from '../shared/ports.ts';
import { Secret } from '../shared/secret.ts';
import { type CertifiedKey, createAuthority, issueServerCertificate } from './authority.ts';

const dayMs = 86_400_000;
const year = { name: 'Test CA', validDays: 365 };

function clockAt(now: number): Clock {
  return { now: () => now, monotonic: () => 0 };
}

async function startTlsServer(t: TestContext, issued: CertifiedKey, options: tls.TlsOptions = {}) {
  const server = tls.createServer(
    { cert: issued.certificate, key: issued.key.reveal(), ...options },
    (socket) => {
      // Typed as always present, but empty without a client certificate.
      const peer: { subject?: { CN?: unknown } } = socket.getPeerCertificate();
      socket.on('error', () => {});
      socket.end(String(peer.subject?.CN ?? 'none'));
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  // A server that listens on TCP has an address object, never a path.
  return (server.address() as AddressInfo).port;
}

async function talk(port: number, options: tls.ConnectionOptions): Promise<string> {
  const socket = tls.connect({ host: '127.0.0.1', port, ...options });
  return text(socket);
}

test('a TLS client that trusts the CA reaches a server by name, IPv4 and IPv6 address', async (t) => {
  const authority = await createAuthority(year, systemClock);
  const hosts = ['registry.local', '*.wild.local', '127.0.0.1', '::1'];

  const issued = await issueServerCertificate({ hosts, validDays: 30 }, authority, systemClock);

  const port = await startTlsServer(t, issued);
  for (const servername of ['registry.local', 'any.wild.local']) {
    assert.equal(await talk(port, { ca: authority.certificate, servername }), 'none');
  }
  assert.equal(await talk(port, { ca: authority.certificate }), 'none');
  assert.equal(new X509Certificate(issued.certificate).checkIP('::1'), '::1');
});

test('a TLS client refuses another name and a certificate of another CA', async (t) => {
  const authority = await createAuthority(year, systemClock);
  const other = await createAuthority(year, systemClock);
  const hosts = ['registry.local'];
  const issued = await issueServerCertificate({ hosts, validDays: 30 }, authority, systemClock);
  const port = await startTlsServer(t, issued);

  const wrongName = talk(port, { ca: authority.certificate, servername: 'other.local' });
  await assert.rejects(wrongName, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });

  const wrongAuthority = talk(port, { ca: other.certificate, servername: 'registry.local' });
  await assert.rejects(wrongAuthority, /certificate|issuer|signature/i);
});

test('a server that demands client certificates lets in the ones of its CA only', async (t) => {
  const authority = await createAuthority(year, systemClock);
  const request = { hosts: ['127.0.0.1'], validDays: 30 };
  const issued = await issueServerCertificate(request, authority, systemClock);
  const port = await startTlsServer(t, issued, { requestCert: true, ca: authority.certificate });
  const client = await issueClientCertificate('node-1', authority);
  const login = { cert: client.certificate, key: client.key.reveal() };

  const answer = await talk(port, { ca: authority.certificate, ...login });

  assert.equal(answer, 'node-1');
  await assert.rejects(talk(port, { ca: authority.certificate }));
});

test('validity follows the clock, starts an hour early and ends with the CA', async () => {
  const now = Date.UTC(2026, 0, 10);
  const authority = await createAuthority({ name: 'CA', validDays: 10 }, clockAt(now));

  const issued = await issueServerCertificate(
    { hosts: ['a.local'], validDays: 365 },
    authority,
    clockAt(now),
  );

  const read = new X509Certificate(issued.certificate);
  assert.equal(Date.parse(read.validFrom), now - dayMs / 24);
  assert.equal(Date.parse(read.validTo), now + 10 * dayMs);
});

test('an expired authority, a certificate that is no CA and a foreign key cannot sign', async () => {
  const authority = await createAuthority({ name: 'CA', validDays: 1 }, systemClock);
  const other = await createAuthority(year, systemClock);
  const request = { hosts: ['a.local'], validDays: 1 };
  const leaf = await issueServerCertificate(request, authority, systemClock);
  const later = clockAt(Date.now() + 2 * dayMs);
  const refused = { code: 'AUTHORITY_UNUSABLE' };

  await assert.rejects(issueServerCertificate(request, authority, later), refused);
  await assert.rejects(issueServerCertificate(request, leaf, systemClock), refused);
  const mixed = { certificate: authority.certificate, key: other.key };
  await assert.rejects(issueServerCertificate(request, mixed, systemClock), refused);
  const broken = { certificate: authority.certificate, key: new Secret('no PEM') };
  await assert.rejects(issueServerCertificate(request, broken, systemClock), refused);
});

test('an authority whose key is encrypted cannot sign', async () => {
  const authority = await createAuthority(year, systemClock);
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const encrypted = { certificate: authority.certificate, key: new Secret(privateKey) };

  const issuing = issueServerCertificate({ hosts: ['a'], validDays: 1 }, encrypted, systemClock);

  await assert.rejects(issuing, { code: 'AUTHORITY_UNUSABLE' });
});

for (const host of ['https://a.local', 'a.local:5000', 'a/b', '', 'a..b', '[::1]', '*.*.a']) {
  test(`no certificate is made for the host ${JSON.stringify(host)}`, async () => {
    const authority = await createAuthority(year, systemClock);

    const issuing = issueServerCertificate({ hosts: [host], validDays: 1 }, authority, systemClock);

    await assert.rejects(issuing, { code: 'CERTIFICATE_HOST_INVALID' });
  });
}
