import assert from 'node:assert/strict';
import test from 'node:test';
import { issueClientCertificate } from '../../../test/support/client-certificate.ts';
import { startFakeServer } from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient, passwordOf } from '../../../test/support/open-client.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';
import { describeError } from '../../shared/errors.ts';
import { systemClock } from '../../shared/ports.ts';
import { Secret } from '../../shared/secret.ts';
import { issueServerCertificate } from '../../trust/authority.ts';

const fine = (_request: unknown, response: { end(text: string): unknown }) => response.end('{}');
const registry = { kind: 'registry', auth: 'none' };

test('a registry is trusted by the authority that is given for it', async (t) => {
  const { ca, tls } = await serverCertificate();
  const server = await startFakeServer(t, fine, tls);

  const ping = await openClient(t, server.url, { trust: { ca } }).ping(testRun(t));

  assert.deepEqual(ping, registry);
});

test('an unknown authority is said in plain words with what to do, and not tried again', async (t) => {
  const { tls } = await serverCertificate();
  const server = await startFakeServer(t, fine, tls);
  const world = fakeWorld();
  const client = openClient(t, server.url, { settings: world.settings() });

  await assert.rejects(client.ping(testRun(t)), (error: Error) => {
    assert.equal('code' in error && error.code, 'REGISTRY_UNREACHABLE');
    assert.match(error.message, /authority that this machine does not know/);
    assert.match(String('fix' in error && error.fix), /trust\.ca/);
    return true;
  });
  assert.deepEqual(world.sleeps, []);
});

test('an authority given for one registry is not trusted for another', async (t) => {
  const [ours, theirs] = [await serverCertificate(), await serverCertificate()];
  const server = await startFakeServer(t, fine, theirs.tls);
  const client = openClient(t, server.url, { trust: { ca: ours.ca } });

  await assert.rejects(client.ping(testRun(t)), { code: 'REGISTRY_UNREACHABLE' });
});

test('a certificate for other names is said so, with the names', async (t) => {
  const { ca, tls } = await serverCertificate(['harbor.plant7.example']);
  const server = await startFakeServer(t, fine, tls);
  const client = openClient(t, server.url, { trust: { ca } });

  await assert.rejects(client.ping(testRun(t)), {
    code: 'REGISTRY_UNREACHABLE',
    message: /certificate is for other names.*harbor\.plant7\.example/,
  });
});

test('an expired certificate is said so', async (t) => {
  const { ca, authority } = await serverCertificate();
  const dayMs = 24 * 3600 * 1000;
  // An authority that is valid now cannot issue for the past, so the clock of the issuer is set back.
  const clock = { ...systemClock, now: () => systemClock.now() - 1.5 * dayMs };
  const request = { hosts: ['localhost'], validDays: 1 };
  const expired = await issueServerCertificate(request, authority, clock);
  const tls = { cert: expired.certificate, key: expired.key.reveal() };
  const server = await startFakeServer(t, fine, tls);
  const client = openClient(t, server.url, { trust: { ca } });

  await assert.rejects(client.ping(testRun(t)), {
    code: 'REGISTRY_UNREACHABLE',
    message: /certificate has expired/,
  });
});

test('plain HTTP on an HTTPS address is said so', async (t) => {
  const server = await startFakeServer(t, fine);
  const client = openClient(t, server.url.replace('http:', 'https:'));

  await assert.rejects(client.ping(testRun(t)), {
    code: 'REGISTRY_UNREACHABLE',
    message: /it speaks plain HTTP on this port/,
  });
});

test('verification is skipped on request', async (t) => {
  const { tls } = await serverCertificate(['other.test']);
  const server = await startFakeServer(t, fine, tls);

  const ping = await openClient(t, server.url, { trust: { skipVerify: true } }).ping(testRun(t));

  assert.deepEqual(ping, registry);
});

test('a registry that wants a client certificate gets it', async (t) => {
  const { ca, authority, tls } = await serverCertificate();
  const client = await issueClientCertificate('us', authority);
  const server = await startFakeServer(t, fine, { ...tls, ca, requestCert: true });
  const trust = { ca, clientCertificate: client.certificate, clientKey: client.key };

  const ping = await openClient(t, server.url, { trust }).ping(testRun(t));
  const without = openClient(t, server.url, { trust: { ca } });

  assert.deepEqual(ping, registry);
  await assert.rejects(without.ping(testRun(t)), (error: Error) => {
    assert.match(error.message, /client certificate|broke while/);
    return true;
  });
});

test('skipped verification and the client certificate stay with the registry itself', async (t) => {
  const { authority, tls, ca } = await serverCertificate(['127.0.0.1']);
  const client = await issueClientCertificate('us', authority);
  const certificates: string[] = [];
  const storage = await startFakeServer(
    t,
    ({ incoming }, response) => {
      const { socket } = incoming;
      const peer = 'getPeerCertificate' in socket ? String(socket.getPeerCertificate) : '';
      certificates.push(peer);
      return response.end('{}');
    },
    { ...tls, ca, requestCert: true, rejectUnauthorized: false },
  );
  const server = await startFakeServer(
    t,
    (_request, response) =>
      response.writeHead(307, { location: `https://127.0.0.1:${storage.port}/` }).end(),
    tls,
  );
  const trust = {
    skipVerify: true,
    clientCertificate: client.certificate,
    clientKey: client.key,
  };

  await assert.rejects(openClient(t, server.url, { trust }).ping(testRun(t)), {
    code: 'REGISTRY_UNREACHABLE',
    message: /authority that this machine does not know/,
  });
  assert.deepEqual(certificates, []);
});

test('a password is not sent to a token server without encryption', async (t) => {
  const { ca, tls } = await serverCertificate();
  const tokens = await startFakeServer(t, (_request, response) => response.end('{"token":"t"}'));
  const challenge = `Bearer realm="${tokens.url}/token",service="s"`;
  const server = await startFakeServer(
    t,
    (_request, response) => response.writeHead(401, { 'www-authenticate': challenge }).end(),
    tls,
  );
  const credential = passwordOf('ann', 'secret');
  const repository = openClient(t, server.url, { trust: { ca }, credential }).repository('app');

  await assert.rejects(repository.fetchManifest('v1', testRun(t)), {
    code: 'REGISTRY_AUTH_UNSAFE',
  });
  assert.deepEqual(tokens.asked, []);
});

test('a registry behind a TLS proxy that names itself with http is still spoken to with https', async (t) => {
  const { ca, tls } = await serverCertificate();
  const bytes = Buffer.from('layer');
  const server = await startFakeServer(
    t,
    async (request, response) => {
      await request.body();
      if (request.method === 'HEAD') return response.writeHead(404).end();
      if (request.method === 'PUT') return response.writeHead(201).end();
      const location = `http://${request.headers.host}/v2/app/blobs/uploads/1`;
      return response.writeHead(202, { location }).end();
    },
    tls,
  );
  const repository = openClient(t, server.url, { trust: { ca } }).repository('app');

  await repository.put({ digest: digestOf(bytes), size: 5 }, bytesOf(bytes), testRun(t));

  assert.match(server.asked.at(-1) ?? '', /^PUT .*digest=sha256/);
});

test('a key that does not fit its certificate is an error of the document', async (t) => {
  const { ca, tls } = await serverCertificate();
  const other = await serverCertificate();
  const server = await startFakeServer(t, fine, tls);
  const trust = { ca, clientCertificate: tls.cert, clientKey: new Secret(other.tls.key) };

  await assert.rejects(openClient(t, server.url, { trust }).ping(testRun(t)), {
    code: 'REGISTRY_TRUST_UNUSABLE',
  });
});

test('an address that is no URL is refused before anything is sent', (t) => {
  assert.throws(() => openClient(t, 'registry.example:5000'), { code: 'REGISTRY_ADDRESS_INVALID' });
});

test('what OpenSSL says reaches nobody with its addresses and line breaks', async (t) => {
  const server = await startFakeServer(t, fine);

  const error: unknown = await openClient(t, server.url.replace('http:', 'https:'))
    .ping(testRun(t))
    .catch((failure: unknown) => failure);

  assert.match(describeError(error), /plain HTTP on this port.*: wrong version number$/);
});
