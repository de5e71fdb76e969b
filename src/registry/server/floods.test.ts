/** Clients that take places and do nothing with them keep nobody out. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { digestOf } from '../../oci/digest.ts';
import { MediaTypes } from '../../oci/media-types.ts';
import type { Clock } from '../../shared/ports.ts';

const content = Buffer.from('0123456789');
const digest = digestOf(content);

async function openUpload({ url }: TestRegistry): Promise<string> {
  const opened = await sendRequest(url, { method: 'POST', path: '/v2/app/blobs/uploads/' });
  assert.equal(opened.status, 202, opened.text);
  return String(opened.headers.location);
}

async function statusOf(
  { url }: TestRegistry,
  method: string,
  path: string,
  body?: Buffer | string,
): Promise<number> {
  return (await sendRequest(url, { method, path, ...(body !== undefined && { body }) })).status;
}

/** Sends the head of a request that announces ten bytes, and the first of them. */
function beginSlowly(t: TestContext, registry: TestRegistry, request: string): Socket {
  const socket = connect(registry.port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  socket.write(`${request} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n0123`);
  return socket;
}

async function isBusy(registry: TestRegistry, upload: string): Promise<void> {
  const answers429 = async () => (await statusOf(registry, 'GET', upload)) === 429;
  await waitUntil(answers429, { what: `the transfer to ${upload}` });
}

class HandClock implements Clock {
  time = 1_000_000;
  readonly now = () => this.time;
  readonly monotonic = () => this.time;
}

test('uploads that were opened and forgotten keep nobody out, and cost nothing on the disk', async (t) => {
  const directory = await tempDir(t);
  const registry = await startRegistry(t, { directory, limits: { maxOpenUploads: 8 } });
  const before = await readdir(directory);

  for (let number = 0; number < 30; number += 1) await openUpload(registry);
  const made = await readdir(directory);
  const at = await openUpload(registry);

  assert.deepEqual(made, before);
  assert.equal(await statusOf(registry, 'PATCH', at, content.subarray(0, 4)), 202);
  for (let number = 0; number < 30; number += 1) await openUpload(registry);
  const path = `${at}?digest=${digest}`;
  assert.equal(await statusOf(registry, 'PUT', path, content.subarray(4)), 201);
});

test('of uploads with bytes, the one that was left alone for longest makes room', async (t) => {
  const registry = await startRegistry(t, { limits: { maxOpenUploads: 3 } });
  const uploads = [await openUpload(registry), await openUpload(registry)];
  const [first = '', second = ''] = uploads;
  for (const at of [first, second, first]) await statusOf(registry, 'PATCH', at, 'x');

  const third = await openUpload(registry);
  await statusOf(registry, 'PATCH', third, 'x');
  await openUpload(registry);

  assert.equal(await statusOf(registry, 'GET', second), 404);
  assert.equal(await statusOf(registry, 'GET', first), 204);
  assert.equal(await statusOf(registry, 'GET', third), 204);
});

test('when every upload is being worked on, one more is told to come back', async (t) => {
  const registry = await startRegistry(t, { limits: { maxOpenUploads: 1 } });
  const at = await openUpload(registry);
  beginSlowly(t, registry, `PATCH ${at}`);
  await isBusy(registry, at);

  const path = '/v2/app/blobs/uploads/';
  const refused = await sendRequest(registry.url, { method: 'POST', path });

  assert.equal(refused.status, 429);
  assert.match(refused.text, /TOOMANYREQUESTS/);
  assert.match(String(refused.headers['retry-after']), /^\d+$/);
});

test('a transfer that brings next to nothing leaves its place to others, and goes on later', async (t) => {
  const clock = new HandClock();
  const registry = await startRegistry(t, { clock, limits: { maxTransfers: 1 } });
  const [slow, other] = [await openUpload(registry), await openUpload(registry)];
  const socket = beginSlowly(t, registry, `PATCH ${slow}`);
  await isBusy(registry, slow);
  const path = `${other}?digest=${digest}`;

  assert.equal(await statusOf(registry, 'PATCH', other, 'x'), 429);
  await sendRequest(registry.url, { method: 'DELETE', path: other });
  clock.time += 10_000;
  const fresh = await openUpload(registry);
  const pushed = await statusOf(registry, 'PUT', path.replace(other, fresh), content);

  assert.equal(pushed, 201);
  const [answer] = (await once(socket, 'data')) as [Buffer]; // the socket has no encoding
  assert.match(answer.toString(), /^HTTP\/1\.1 429 .*retry-after: 5.*go on later/is);
  assert.equal(
    (await sendRequest(registry.url, { path: slow })).headers['range'],
    '0-3',
    'what arrived is kept',
  );
});

test('manifests that are never finished keep no others out', async (t) => {
  const clock = new HandClock();
  const body = JSON.stringify({ schemaVersion: 2, manifests: [] });
  const limits = { manifestRoomBytes: body.length + 4 };
  const registry = await startRegistry(t, { clock, limits });
  const put = (tag: string) =>
    sendRequest(registry.url, {
      method: 'PUT',
      path: `/v2/app/manifests/${tag}`,
      headers: { 'content-type': MediaTypes.ociIndex },
      body,
    });
  const sockets = [1, 2].map((tag) => beginSlowly(t, registry, `PUT /v2/app/manifests/slow${tag}`));
  await waitUntil(async () => (await put('v1')).status === 429, { what: 'the room to be full' });
  assert.equal((await put('v1')).headers['retry-after'], '1');

  clock.time += 10_000;
  await waitUntil(async () => (await put('v1')).status === 201, { what: 'a slow one to leave' });

  await Promise.race(sockets.map((socket) => once(socket, 'data')));
  clock.time += 10_000;
  await waitUntil(async () => (await put('v2')).status === 201, { what: 'the room to be free' });
});

test('a manifest that names thousands of missing parts gets a short answer with the count', async (t) => {
  const registry = await startRegistry(t);
  const part = (number: number) => ({
    mediaType: MediaTypes.ociLayerGzip,
    digest: digestOf(String(number)),
    size: 1,
  });
  const layers = Array.from({ length: 3000 }, (_, number) => part(number));
  const manifest = {
    schemaVersion: 2,
    mediaType: MediaTypes.ociManifest,
    config: part(-1),
    layers,
  };

  const refused = await sendRequest(registry.url, {
    method: 'PUT',
    path: '/v2/app/manifests/v1',
    headers: { 'content-type': MediaTypes.ociManifest },
    body: JSON.stringify(manifest),
  });

  assert.equal(refused.status, 400);
  assert.ok(refused.bytes.length < 64 * 1024, `${refused.bytes.length} bytes`);
  assert.match(refused.text, /and 2901 more parts/);
});

test('connections that do nothing make room for one that wants something', async (t) => {
  const registry = await startRegistry(t, { maxConnections: 5 });
  const idle = Array.from({ length: 5 }, () => connect(registry.port, '127.0.0.1'));
  for (const socket of idle) {
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.write('GET /v2/ HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'data');
  }

  const answers = async () =>
    sendRequest(registry.url, { path: '/v2/' }).then(
      ({ status }) => status === 200,
      () => false,
    );

  await waitUntil(answers, { what: 'a connection to be let in' });
});

test('connections on which nothing was ever asked are closed by the time headers are due', async (t) => {
  const registry = await startRegistry(t, { maxConnections: 5, headersTimeoutMs: 100 });
  const mute = Array.from({ length: 5 }, () => connect(registry.port, '127.0.0.1'));
  const ends = mute.map((socket) => {
    t.after(() => socket.destroy());
    socket.on('error', () => {}).resume();
    return once(socket, 'close');
  });

  await Promise.all(ends);

  assert.equal(await statusOf(registry, 'GET', '/v2/'), 200);
});
