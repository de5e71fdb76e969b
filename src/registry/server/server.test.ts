import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import { hang } from '../../../test/support/faults.ts';
import { pushImage } from '../../../test/support/push-image.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { MemoryStore } from '../../content/memory-store.ts';
import { digestOf } from '../../oci/digest.ts';
import { buildImage } from '../../oci/image-builder.ts';
import { tarLayer } from '../../oci/tar-layer.ts';
import { systemClock } from '../../shared/ports.ts';
import { startRun } from '../../shared/run.ts';
import { Secret } from '../../shared/secret.ts';
import { createAuthority, issueServerCertificate } from '../../trust/authority.ts';
import { MemoryRepositories } from './memory-repositories.ts';
import { RegistryServer, startRegistryServer } from './server.ts';

const image = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });

/** Who waits for it although nothing is left to do runs into the time limit of tests. */
const tooLongMs = 10 * 60_000;

function memoryStorage() {
  const [content, repositories] = [new MemoryStore(), new MemoryRepositories()];
  return { access: 'read-write', content, repositories } as const;
}

async function certificateFor(host: string) {
  const authority = await createAuthority({ name: 'test', validDays: 2 }, systemClock);
  const request = { hosts: [host], validDays: 1 };
  const { certificate, key } = await issueServerCertificate(request, authority, systemClock);
  return { ca: authority.certificate, tls: { cert: certificate, key } };
}

test('a stopped server gives its port back and lets nobody in; stopping again is safe', async (t) => {
  const server = await startRegistryServer({ storage: memoryStorage() }, testRun(t));
  const { port, url } = server;
  assert.equal((await sendRequest(url, { path: '/v2/' })).status, 200);

  await Promise.all([server.stop(), server.stop()]);
  await server.stop();

  await assert.rejects(sendRequest(url, { path: '/v2/' }), { code: 'ECONNREFUSED' });
  const next = await startRegistryServer({ storage: memoryStorage(), port }, testRun(t));
  t.after(() => next.stop());
  assert.equal(next.port, port);
});

test('stopping before and during the start leaves nothing running', async (t) => {
  const never = new RegistryServer({ storage: memoryStorage() });
  await never.stop();

  const server = new RegistryServer({ storage: memoryStorage() });
  const starting = server.start(testRun(t));
  await server.stop();
  await starting;

  await assert.rejects(sendRequest(server.url, { path: '/v2/' }), { code: 'ECONNREFUSED' });
});

test('an aborted run stops the server', async (t) => {
  const abort = new AbortController();
  const run = startRun({ signal: abort.signal });
  const server = await startRegistryServer({ storage: memoryStorage() }, run);
  t.after(() => server.stop());

  abort.abort();
  await server.stop();

  await assert.rejects(sendRequest(server.url, { path: '/v2/' }), { code: 'ECONNREFUSED' });
});

test('a request that never ends holds up the stop no longer than the grace', async (t) => {
  const registry = await startRegistry(t, { faults: [hang({ path: '/v2/' })], stopGraceMs: 50 });
  const asked = sendRequest(registry.url, { path: '/v2/' }).catch((error: unknown) => error);
  await hasOne(registry.url, 'requests_in_flight');

  await registry.stop();

  assert.ok((await asked) instanceof Error);
});

test('a request under way is finished when the run is aborted', async (t) => {
  const abort = new AbortController();
  const storage = memoryStorage();
  const run = startRun({ signal: abort.signal });
  const server = await startRegistryServer({ storage, stopGraceMs: tooLongMs }, run);
  t.after(() => server.stop());
  await assertUploadEnds(t, server, async () => {
    abort.abort();
    await server.stop();
  });
});

test('a request under way is finished before the server stops', async (t) => {
  const registry = await startRegistry(t, { stopGraceMs: tooLongMs });
  await assertUploadEnds(t, registry, () => registry.stop());
});

async function assertUploadEnds(
  t: TestContext,
  registry: { readonly port: number; readonly url: string },
  stop: () => Promise<void>,
): Promise<void> {
  const body = Buffer.from('the whole of it');
  const path = `/v2/app/blobs/uploads/?digest=${digestOf(body)}`;
  const socket = connect(registry.port, '127.0.0.1');
  t.after(() => socket.destroy());
  const head = ['POST', path, `HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`].join(
    ' ',
  );
  socket.write(head);
  socket.write(body.subarray(0, 5));
  await hasOne(registry.url, 'open_uploads');

  const stopping = stop();
  socket.write(body.subarray(5));
  const [answer] = await Promise.all([readAll(socket), stopping]);

  assert.match(answer, /^HTTP\/1\.1 201 /);
}

test('a login that is being checked for ever does not hold up the stop', async (t) => {
  const login = { logins: { verify: () => new Promise<boolean>(() => {}) } };
  const options = { storage: memoryStorage(), login, stopGraceMs: 20 };
  const server = await startRegistryServer(options, testRun(t));
  const headers = { authorization: `Basic ${Buffer.from('ann:x').toString('base64')}` };
  const asked = sendRequest(server.url, { path: '/v2/', headers }).catch((error: unknown) => error);
  await hasOne(server.url, 'requests_in_flight');

  await server.stop();

  assert.ok((await asked) instanceof Error);
});

test('a port that is taken is named, with what to do', async (t) => {
  const registry = await startRegistry(t);

  const second = startRegistryServer({ storage: memoryStorage(), port: registry.port }, testRun(t));

  await assert.rejects(second, (error: Error & { fix?: string; code?: string }) => {
    assert.equal(error.code, 'REGISTRY_LISTEN_FAILED');
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${registry.port}.*port is taken`));
    assert.match(error.fix ?? '', /ss -ltnp/);
    return true;
  });
});

test('it serves HTTPS, and a renewed certificate without a restart', async (t) => {
  const [first, second] = await Promise.all([
    certificateFor('127.0.0.1'),
    certificateFor('127.0.0.1'),
  ]);
  const server = await startRegistryServer(
    { storage: memoryStorage(), tls: first.tls },
    testRun(t),
  );
  t.after(() => server.stop());
  const ask = (ca: string) => sendRequest(server.url, { path: '/v2/', ca });
  assert.match(server.url, /^https:/);
  assert.equal((await ask(first.ca)).status, 200);
  await assert.rejects(ask(second.ca));

  server.reloadTls(second.tls);

  assert.equal((await ask(second.ca)).status, 200);
  const broken = { cert: 'nonsense', key: new Secret('nonsense') };
  assert.throws(() => server.reloadTls(broken), { code: 'REGISTRY_TLS_INVALID' });
  assert.equal((await ask(second.ca)).status, 200);
});

test('a key that does not fit its certificate is refused at the start', async (t) => {
  const [first, second] = await Promise.all([
    certificateFor('a.example'),
    certificateFor('b.example'),
  ]);
  const tls = { cert: first.tls.cert, key: second.tls.key };

  const starting = startRegistryServer({ storage: memoryStorage(), tls }, testRun(t));

  await assert.rejects(starting, { code: 'REGISTRY_TLS_INVALID' });
});

test('health, readiness and metrics are answered and stay out of the access log', async (t) => {
  const registry = await startRegistry(t, { users: { ann: 'secret' } });
  await sendRequest(registry.url, { path: '/v2/' });

  assert.equal((await sendRequest(registry.url, { path: '/healthz' })).text, 'ok\n');
  assert.equal((await sendRequest(registry.url, { path: '/readyz' })).status, 200);
  const metrics = await sendRequest(registry.url, { path: '/metrics' });

  assert.match(String(metrics.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  assert.match(metrics.text, /^slipway_registry_requests_total\{method="GET",code="401"\} 1$/m);
  assert.deepEqual(
    registry.log.map((entry) => entry.url),
    ['/v2/'],
  );
});

test('metrics count requests, bytes both ways and open uploads', async (t) => {
  const registry = await startRegistry(t);
  await pushImage(registry.url, 'app', 'v1', image);
  await sendRequest(registry.url, { path: '/v2/app/manifests/v1' });
  await sendRequest(registry.url, { method: 'BREW', path: '/v2/' }).catch(() => {});
  await sendRequest(registry.url, { method: 'POST', path: '/v2/app/blobs/uploads/' });

  const pushed = [image, ...image.blobs].reduce((sum, { bytes }) => sum + bytes.length, 0);
  assert.equal(await metricOf(registry.url, 'received_bytes_total'), String(pushed));
  assert.equal(await metricOf(registry.url, 'sent_bytes_total'), String(sentBytes(registry.log)));
  assert.equal(await metricOf(registry.url, 'open_uploads'), '1');
  assert.equal(await metricOf(registry.url, 'requests_in_flight'), '0');
  assert.equal(await metricOf(registry.url, 'requests_total{method="PUT",code="201"}'), '1');
  assert.equal(
    await metricOf(registry.url, 'request_duration_seconds_bucket{le="+Inf"}'),
    await metricOf(registry.url, 'request_duration_seconds_count'),
  );
});

test('the access log tells who asked for what, how it ended, and how many bytes went', async (t) => {
  const registry = await startRegistry(t);
  await pushImage(registry.url, 'app', 'v1', image);
  registry.log.length = 0;

  const path = '/v2/app/manifests/v1?ns=docker.io&token=hunter2';
  const headers = { 'user-agent': 'containerd/2.1.1' };
  await sendRequest(registry.url, { path, headers });
  await sendRequest(registry.url, { method: 'HEAD', path, headers });

  const [get, head] = registry.log;
  assert.equal(get?.method, 'GET');
  assert.equal(get?.url, '/v2/app/manifests/v1?ns=docker.io&token=[secret]');
  assert.equal(get?.status, 200);
  assert.equal(get?.bytesOut, image.bytes.length);
  assert.equal(get?.isComplete, true);
  assert.equal(get?.userAgent, 'containerd/2.1.1');
  assert.equal(get?.remote, '127.0.0.1');
  assert.ok((get?.durationMs ?? -1) >= 0);
  assert.equal(head?.bytesOut, 0);
});

function sentBytes(log: readonly { readonly bytesOut: number }[]): number {
  return log.reduce((sum, entry) => sum + entry.bytesOut, 0);
}

async function metricOf(url: string, name: string): Promise<string | undefined> {
  const { text } = await sendRequest(url, { path: '/metrics' });
  const prefix = `slipway_registry_${name} `;
  return text
    .split('\n')
    .find((line) => line.startsWith(prefix))
    ?.slice(prefix.length);
}

function hasOne(url: string, metric: string): Promise<void> {
  const isOne = async () => (await metricOf(url, metric)) === '1';
  return waitUntil(isOne, { what: `${metric} to be 1` });
}

async function readAll(socket: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk.toString();
  return text;
}
