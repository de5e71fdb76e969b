import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { digestOf } from '../../oci/digest.ts';

const content = Buffer.from('0123456789');
const digest = digestOf(content);

function open(t: TestContext, registry: TestRegistry): Socket {
  const socket = connect(registry.port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  return socket;
}

async function answerTo(t: TestContext, registry: TestRegistry, text: string): Promise<string> {
  const socket = open(t, registry);
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

async function filesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.slipway-lock');
  return files.map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

async function openUpload(registry: TestRegistry): Promise<string> {
  const path = '/v2/app/blobs/uploads/';
  const { headers } = await sendRequest(registry.url, { method: 'POST', path });
  return String(headers.location);
}

for (const [what, text, status] of [
  ['no HTTP at all', 'EHLO mail.example\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['an unknown method', 'BREW /v2/ HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  [
    'two lengths',
    'PUT /v2/ HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
  ],
  [
    'a length and chunks',
    'PUT /v2/ HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a header of 40 KiB', `GET /v2/ HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
  ['a path of 40 KiB', `GET /v2/${'y'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
] as const) {
  test(`${what} is answered ${status} with an error document and the door is shut`, async (t) => {
    const registry = await startRegistry(t);

    const answer = await answerTo(t, registry, text);

    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(answer, /\r\n\r\n\{"errors":\[\{"code":"UNSUPPORTED"/);
    assert.equal((await sendRequest(registry.url, { path: '/v2/' })).status, 200);
  });
}

test('a client that does not finish its headers is sent away', async (t) => {
  const registry = await startRegistry(t, { headersTimeoutMs: 50 });

  const answer = await answerTo(t, registry, 'GET /v2/ HTTP/1.1\r\nhost: x\r\nx-slow');

  assert.match(answer, /^HTTP\/1\.1 408 /);
});

test('a connection on which nothing moves is cut, and its upload can go on', async (t) => {
  const registry = await startRegistry(t, { idleTimeoutMs: 100 });
  const at = await openUpload(registry);
  const head = `PATCH ${at} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n`;

  const answer = await answerTo(t, registry, `${head}0123`);

  assert.equal(answer, '');
  await assertGoesOn(registry, at);
});

/** The upload stands at byte 4 and takes the rest. */
async function assertGoesOn(registry: TestRegistry, at: string): Promise<void> {
  const standsAt4 = async () =>
    (await sendRequest(registry.url, { path: at })).headers['range'] === '0-3';
  await waitUntil(standsAt4, { what: 'what arrived to be kept' });
  const body = content.subarray(4);
  const headers = { 'content-range': '4-9' };
  const path = `${at}?digest=${digest}`;
  const done = await sendRequest(registry.url, { method: 'PUT', path, headers, body });
  assert.equal(done.status, 201, done.text);
}

for (const place of ['memory', 'folder']) {
  test(`${place}: an upload whose connection breaks keeps what arrived and goes on`, async (t) => {
    const registry = await startRegistry(
      t,
      place === 'folder' ? { directory: await tempDir(t) } : {},
    );
    const at = await openUpload(registry);
    const socket = open(t, registry);
    const head = `PATCH ${at} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n`;
    await new Promise((resolve) => socket.write(`${head}0123`, resolve));
    socket.end();

    await assertGoesOn(registry, at);
  });
}

test('a whole upload whose connection breaks leaves nothing behind', async (t) => {
  const directory = await tempDir(t);
  const registry = await startRegistry(t, { directory });
  const path = `/v2/app/blobs/uploads/?digest=${digest}`;
  const before = await filesIn(directory);

  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n`;
  const socket = open(t, registry);
  socket.end(`${head}0123`);

  await waitUntil(() => registry.log.length === 1, { what: 'the end of the request' });
  await waitUntil(async () => (await filesIn(directory)).length === before.length, {
    what: 'the cleaning',
  });
  assert.deepEqual(await filesIn(directory), before);
});

test('two requests on one upload at the same time: the second is told to come back', async (t) => {
  const registry = await startRegistry(t);
  const at = await openUpload(registry);
  const socket = open(t, registry);
  socket.write(`PATCH ${at} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n0123`);
  const isBusy = async () => (await sendRequest(registry.url, { path: at })).status === 429;
  await waitUntil(isBusy, { what: 'the first to work' });

  const second = await sendRequest(registry.url, { method: 'PATCH', path: at, body: 'x' });

  assert.equal(second.status, 429);
  assert.equal(second.headers['retry-after'], '1');
  socket.write('456789');
  const isFree = async () => (await sendRequest(registry.url, { path: at })).status === 204;
  await waitUntil(isFree, { what: 'the first to end' });
  const path = `${at}?digest=${digest}`;
  assert.equal((await sendRequest(registry.url, { method: 'PUT', path })).status, 201);
});

test('more transfers at a time than allowed are told to come back', async (t) => {
  const registry = await startRegistry(t, { limits: { maxTransfers: 1 } });
  const [first, second] = [await openUpload(registry), await openUpload(registry)];
  open(t, registry).write(`PATCH ${first} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n0123`);
  const isBusy = async () => (await sendRequest(registry.url, { path: first })).status === 429;
  await waitUntil(isBusy, { what: 'the first to work' });

  const answer = await sendRequest(registry.url, { method: 'PATCH', path: second, body: 'x' });

  assert.equal(answer.status, 429);
  assert.match(answer.text, /TOOMANYREQUESTS/);
});

test('a body that was not allowed is not asked for', async (t) => {
  const registry = await startRegistry(t, { users: { ann: 'secret' } });
  const upload = (headers: string) =>
    answerTo(
      t,
      registry,
      `POST /v2/app/blobs/uploads/?digest=${digest} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 10\r\n${headers}\r\n`,
    );

  assert.match(await upload(''), /^HTTP\/1\.1 401 /);
});

test('a body that is allowed is asked for', async (t) => {
  const registry = await startRegistry(t);
  const socket = open(t, registry);
  socket.write(
    `POST /v2/app/blobs/uploads/?digest=${digest} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 10\r\n\r\n`,
  );

  let text = '';
  for await (const chunk of socket) {
    if (text === '') socket.write(content);
    text += String(chunk);
  }

  assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});

test('no path makes the registry fail or leave its folder', async (t) => {
  const directory = await tempDir(t);
  const registry = await startRegistry(t, { directory });
  const before = await filesIn(directory);
  const segment = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      '%2e%2e',
      '%2F',
      '%00',
      '%',
      'v2',
      'manifests',
      'blobs',
      'tags',
      'list',
      'uploads',
      'a',
      digest,
    ),
    fc.string({ maxLength: 5 }).map(encodeURIComponent),
  );
  const method = fc.constantFrom('GET', 'HEAD', 'DELETE', 'PUT', 'PATCH');

  await fc.assert(
    fc.asyncProperty(method, fc.array(segment, { maxLength: 8 }), async (name, segments) => {
      const answer = await sendRequest(registry.url, {
        method: name,
        path: `/v2/${segments.join('/')}`,
      });
      assert.ok(answer.status < 500, `${name} ${segments.join('/')}: ${answer.status}`);
    }),
    { numRuns: 150 },
  );

  assert.deepEqual(await filesIn(directory), before);
});
