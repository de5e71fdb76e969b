import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import test, { type TestContext } from 'node:test';
import { startFakeServer } from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { testRun } from '../../../test/support/test-run.ts';

/** Asks this port in plain HTTP. */
async function refusal(t: TestContext, port: number) {
  const world = fakeWorld();
  const client = openClient(t, `http://127.0.0.1:${port}`, { settings: world.settings() });
  const error: unknown = await client
    .repository('app')
    .fetchManifest('v1', testRun(t))
    .catch((reason: unknown) => reason);
  assert.ok(error instanceof Error && 'fix' in error);
  return { error, fix: String(error.fix), sleeps: world.sleeps };
}

test('plain HTTP to a port that speaks TLS is named so at once, with what to write', async (t) => {
  const { tls } = await serverCertificate();
  const server = await startFakeServer(t, (_request, response) => response.end('{}'), tls);

  const { error, fix, sleeps } = await refusal(t, server.port);

  assert.match(error.message, /it speaks HTTPS on this port and was asked in plain HTTP/);
  assert.match(fix, /Write https/);
  assert.deepEqual(sleeps, []);
});

/** A port that answers whatever comes with these bytes, and closes. */
async function answering(t: TestContext, bytes: Buffer): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

test('a TLS alert and the words of Go’s servers say the same', async (t) => {
  const text = 'Client sent an HTTP request to an HTTPS server.\n';
  const go = `HTTP/1.0 400 Bad Request\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  for (const bytes of [Buffer.from('15030100020216', 'hex'), Buffer.from(go)]) {
    const { error, fix, sleeps } = await refusal(t, await answering(t, bytes));
    assert.match(error.message, /it speaks HTTPS on this port/);
    assert.match(fix, /Write https/);
    assert.deepEqual(sleeps, []);
  }
});

test('a port that closes both plain and TLS connections is a broken connection, and tried again', async (t) => {
  const { error, sleeps } = await refusal(t, await answering(t, Buffer.alloc(0)));

  assert.ok('code' in error);
  assert.equal(error.code, 'REGISTRY_CONNECTION_LOST');
  assert.equal(sleeps.length, 4);
});
