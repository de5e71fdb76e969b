import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import test from 'node:test';
import {
  type FakeHandler,
  type FakeRequest,
  sendError,
  startFakeServer,
} from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { collectBytes, discardBytes } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';
import { withSignal } from '../../shared/run.ts';

const bytes = Buffer.from('0123456789'.repeat(100));
const blob = { digest: digestOf(bytes), size: bytes.length };

/** Where a request wants to begin. */
const startOf = ({ headers }: FakeRequest) =>
  Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);

/** Serves a blob with ranges and cuts the connection after `piece` bytes, as often as there are any left. */
function cutting(content: Buffer, piece: number, cuts = Number.POSITIVE_INFINITY): FakeHandler {
  let left = cuts;
  return (request, response) => {
    const start = startOf(request);
    const rest = content.subarray(start);
    const head = { 'content-length': String(rest.length) };
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    if (start > 0) response.writeHead(206, { ...head, 'content-range': range });
    else response.writeHead(200, head);
    left -= 1;
    if (left < 0 || rest.length <= piece) return response.end(rest);
    return response.write(rest.subarray(0, piece), () => request.incoming.socket.destroy());
  };
}

test('a download goes on by Range from where the connection broke', async (t) => {
  const server = await startFakeServer(t, cutting(bytes, 300));
  const repository = openClient(t, server.url).repository('app');

  const read = await collectBytes(await repository.open(blob, testRun(t)));

  assert.deepEqual(Buffer.from(read), bytes);
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.range),
    [undefined, 'bytes=300-', 'bytes=600-', 'bytes=900-'],
  );
});

test('a registry that ignores Range sends all again, and what was read is skipped', async (t) => {
  let cuts = 2;
  const server = await startFakeServer(t, ({ incoming }, response) => {
    response.writeHead(200, { 'content-length': String(bytes.length) });
    cuts -= 1;
    if (cuts < 0) return response.end(bytes);
    return response.write(bytes.subarray(0, 250), () => incoming.socket.destroy());
  });
  const repository = openClient(t, server.url).repository('app');

  const read = await collectBytes(await repository.open(blob, testRun(t)));

  assert.deepEqual(Buffer.from(read), bytes);
});

test('a download without progress is given up after the tries that are set', async (t) => {
  const server = await startFakeServer(t, cutting(bytes, 1));
  const settings = fakeWorld().settings({ limits: { downloadResumes: 3 } });
  const repository = openClient(t, server.url, { settings }).repository('app');

  const reading = repository.open(blob, testRun(t)).then(collectBytes);

  await assert.rejects(reading, {
    code: 'REGISTRY_CONNECTION_LOST',
    message: new RegExp(`reading blob ${blob.digest} of reg.test/app`),
  });
  assert.equal(server.requests.length, 4);
});

test('a long download over a bad line may break more often, since it moves on', async (t) => {
  const piece = 1024 * 1024;
  const content = Buffer.alloc(5 * piece + 7, 'slipway');
  const server = await startFakeServer(t, cutting(content, piece));
  const settings = fakeWorld().settings({ limits: { downloadResumes: 1 } });
  const repository = openClient(t, server.url, { settings }).repository('app');
  const large = { digest: digestOf(content), size: content.length };

  const read = await collectBytes(await repository.open(large, testRun(t)));

  assert.equal(digestOf(read), large.digest);
});

test('a body that stalls is continued over a new connection', async (t) => {
  let stalls = 1;
  const server = await startFakeServer(t, (request, response) => {
    stalls -= 1;
    if (stalls < 0) return cutting(bytes, bytes.length)(request, response);
    response.writeHead(200, { 'content-length': String(bytes.length) });
    return response.write(bytes.subarray(0, 100));
  });
  const settings = fakeWorld().settings({ timeouts: { idleBodyMs: 50 } });
  const repository = openClient(t, server.url, { settings }).repository('app');

  const read = await collectBytes(await repository.open(blob, testRun(t)));

  assert.deepEqual(Buffer.from(read), bytes);
});

test('reading from the middle moves only the rest', async (t) => {
  const server = await startFakeServer(t, cutting(bytes, bytes.length));
  const repository = openClient(t, server.url).repository('app');

  const tail = await collectBytes(await repository.open(blob, testRun(t), 995));
  const nothing = await collectBytes(await repository.open(blob, testRun(t), bytes.length));

  assert.equal(Buffer.from(tail).toString(), '56789');
  assert.equal(nothing.length, 0);
});

const wrong: ReadonlyArray<
  readonly [claim: string, code: string, answer: (response: ServerResponse) => unknown]
> = [
  [
    'a length that differs',
    'BLOB_SIZE_MISMATCH',
    (response) => response.end(bytes.subarray(0, 999)),
  ],
  [
    'more bytes than the descriptor names, without a length',
    'BLOB_SIZE_MISMATCH',
    (response) => {
      response.write(bytes);
      response.end('x');
    },
  ],
  [
    'an end that always comes too early, without a length',
    'BLOB_SIZE_MISMATCH',
    (response) => {
      response.write(bytes.subarray(0, 10));
      response.end('x');
    },
  ],
  [
    'a range that nobody asked for',
    'REGISTRY_ANSWER_INVALID',
    (response) => response.writeHead(206, { 'content-range': 'bytes 5-9/1000' }).end('56789'),
  ],
  [
    'a web page',
    'REGISTRY_NOT_A_REGISTRY',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
  ],
  ['nothing there', 'BLOB_NOT_FOUND', (response) => sendError(response, 404, 'BLOB_UNKNOWN')],
];

for (const [claim, code, answer] of wrong) {
  test(`a blob with ${claim} is ${code}`, async (t) => {
    const server = await startFakeServer(t, (_request, response) => answer(response));
    const repository = openClient(t, server.url).repository('app');

    const reading = repository.open(blob, testRun(t)).then(collectBytes);

    await assert.rejects(reading, { code, message: /reg\.test.*\(source\)/ });
  });
}

test('a stream that nobody reads, or reads only in part, gives its connection back', async (t) => {
  const content = Buffer.alloc(8 * 1024 * 1024);
  const large = { digest: digestOf(content), size: content.length };
  const server = await startFakeServer(t, (_request, response) => response.end(content));
  const repository = openClient(t, server.url).repository('app');
  await discardBytes(await repository.open(large, testRun(t)));
  for await (const _chunk of await repository.open(large, testRun(t))) break;

  // A test that times out here has leaked a connection.
  for (const { incoming } of server.requests) await closed(incoming.socket);
});

test('an abort ends a download under way with its reason', async (t) => {
  const abort = new AbortController();
  const server = await startFakeServer(t, (_request, response) => {
    response.writeHead(200, { 'content-length': String(bytes.length) });
    response.write(bytes.subarray(0, 100));
  });
  const repository = openClient(t, server.url).repository('app');
  const stream = await repository.open(blob, withSignal(testRun(t), abort.signal));

  const reading = (async () => {
    for await (const _chunk of stream) abort.abort(new Error('stopped by the user'));
  })();

  await assert.rejects(reading, /stopped by the user/);
  assert.equal(server.requests.length, 1);
});

test('a blob is found with its size by one HEAD', async (t) => {
  const server = await startFakeServer(t, (_request, response) =>
    response.writeHead(200, { 'content-length': '1000' }).end(),
  );
  const repository = openClient(t, server.url).repository('app');

  assert.equal(await repository.find(blob.digest, testRun(t)), 1000);
  assert.deepEqual(server.asked, [`HEAD /v2/app/blobs/${blob.digest}`]);
});

test('a registry without HEAD for blobs is asked by GET', async (t) => {
  const server = await startFakeServer(t, (request, response) =>
    request.method === 'HEAD' ? response.writeHead(405).end() : response.end(bytes),
  );
  const repository = openClient(t, server.url).repository('app');

  assert.equal(await repository.find(blob.digest, testRun(t)), 1000);
});

test('a blob that may not be seen is not reported as missing', async (t) => {
  const server = await startFakeServer(t, (_request, response) => response.writeHead(403).end());
  const repository = openClient(t, server.url).repository('app');

  await assert.rejects(repository.find(blob.digest, testRun(t)), { code: 'REGISTRY_DENIED' });
});

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}
