import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import test, { type TestContext } from 'node:test';
import { type FakeHandler, sendError, startFakeServer } from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { digestOf } from '../../oci/digest.ts';
import { withSignal } from '../../shared/run.ts';
import type { Repository } from './repository.ts';

const digest = digestOf('blob');
const found: FakeHandler = (_request, response) =>
  response.writeHead(200, { 'content-length': '4' }).end();

/** Serves `first` so many times, then what is asked for. */
function failing(times: number, first: FakeHandler): FakeHandler {
  let left = times;
  return (request, response) => {
    left -= 1;
    return left >= 0 ? first(request, response) : found(request, response);
  };
}

for (const status of [408, 429, 500, 502, 503, 504]) {
  test(`status ${status} is tried again with growing waits`, async (t) => {
    const world = fakeWorld();
    const refused: FakeHandler = (_request, response) => response.writeHead(status).end();
    const server = await startFakeServer(t, failing(2, refused));
    const client = openClient(t, server.url, { settings: world.settings() });

    assert.equal(await client.repository('app').find(digest, testRun(t)), 4);

    assert.deepEqual(world.sleeps, [100, 200]);
  });
}

test('jitter is a random part of the growing wait', async (t) => {
  const world = fakeWorld();
  const refused: FakeHandler = (_request, response) => response.writeHead(503).end();
  const server = await startFakeServer(t, failing(2, refused));
  const settings = world.settings({ random: () => 0.25 });
  const client = openClient(t, server.url, { settings });

  await client.repository('app').find(digest, testRun(t));

  assert.deepEqual(world.sleeps, [25, 50]);
});

for (const [form, value] of [
  ['seconds', '7'],
  ['a date', 'Thu, 01 Jan 2026 00:00:07 GMT'],
] as const) {
  test(`Retry-After in ${form} is obeyed`, async (t) => {
    const world = fakeWorld();
    const refused: FakeHandler = (_request, response) =>
      response.writeHead(429, { 'retry-after': value }).end();
    const server = await startFakeServer(t, failing(1, refused));
    const client = openClient(t, server.url, { settings: world.settings() });

    assert.equal(await client.repository('app').find(digest, testRun(t)), 4);

    assert.equal(world.clock.monotonic(), 7000);
  });
}

test('a registry that wants us to wait an hour fails at once and says when', async (t) => {
  const world = fakeWorld();
  const server = await startFakeServer(t, (_request, response) =>
    sendError(response, 429, 'TOOMANYREQUESTS', { 'retry-after': '3600' }),
  );
  const client = openClient(t, server.url, { settings: world.settings() });

  await assert.rejects(client.repository('app').fetchManifest('v1', testRun(t)), {
    code: 'REGISTRY_RATE_LIMITED',
    message: /again in 3600 s .*TOOMANYREQUESTS/,
  });
  assert.deepEqual(world.sleeps, []);
});

test('when the tries are used up, the words of the registry are shown, without secrets', async (t) => {
  const server = await startFakeServer(t, (_request, response) => {
    response.writeHead(503, { 'content-type': 'application/json' });
    const detail = { url: 'https://store/?X-Amz-Signature=deadbeef' };
    response.end(
      JSON.stringify({ errors: [{ code: 'UNAVAILABLE', message: 'disk is full', detail }] }),
    );
  });
  const client = openClient(t, server.url);

  await assert.rejects(client.repository('app').fetchManifest('v1', testRun(t)), (error: Error) => {
    assert.equal('code' in error && error.code, 'REGISTRY_FAILED');
    assert.match(
      error.message,
      /503 when reading the manifest v1 of reg.test\/app: UNAVAILABLE: disk/,
    );
    assert.doesNotMatch(error.message, /deadbeef/);
    return true;
  });
  assert.equal(server.requests.length, 5);
});

test('of an endless error page only the beginning is read and shown', async (t) => {
  const server = await startFakeServer(t, (request, response) => {
    response.writeHead(500);
    const more = () => {
      while (!request.incoming.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  const settings = fakeWorld().settings({ retry: { attempts: 1 } });
  const repository = openClient(t, server.url, { settings }).repository('app');

  for (const asking of [repository.fetchManifest('v1', testRun(t)), firstTag(repository, t)]) {
    await assert.rejects(asking, (error: Error) => {
      assert.equal('code' in error && error.code, 'REGISTRY_FAILED');
      assert.ok(error.message.length < 600);
      return true;
    });
  }
});

test('a document beyond its bound is refused', async (t) => {
  const server = await startFakeServer(t, (_request, response) => response.end('x'.repeat(2000)));
  const { transport } = openClient(t, server.url);

  const reading = transport.read({ method: 'GET', url: new URL(server.url) }, 1999, testRun(t));

  await assert.rejects(reading, { code: 'RESPONSE_TOO_LARGE' });
});

test('a connection that breaks before the answer is opened again', async (t) => {
  const world = fakeWorld();
  const cut: FakeHandler = ({ incoming }) => incoming.socket.destroy();
  const server = await startFakeServer(t, failing(2, cut));
  const client = openClient(t, server.url, { settings: world.settings() });

  assert.equal(await client.repository('app').find(digest, testRun(t)), 4);
});

test('what may not be sent twice is not', async (t) => {
  const server = await startFakeServer(t, (_request, response) => response.writeHead(503).end());
  const { transport } = openClient(t, server.url);
  const url = new URL(`${server.url}/v2/`);
  const stream = async function* () {
    yield Buffer.from('once');
  };

  const post = await transport.request({ method: 'POST', url }, testRun(t));
  const body = { stream: stream(), sizeBytes: 4 };
  const put = await transport.request({ method: 'PUT', url, body }, testRun(t));

  assert.deepEqual([post.status, put.status], [503, 503]);
  assert.equal(server.requests.length, 2);
});

test('nothing on the port is said in plain words, after several tries', async (t) => {
  const world = fakeWorld();
  const port = await freePort();
  const client = openClient(t, `http://127.0.0.1:${port}`, { settings: world.settings() });

  await assert.rejects(client.ping(testRun(t)), (error: Error) => {
    assert.equal('code' in error && error.code, 'REGISTRY_UNREACHABLE');
    assert.match(error.message, /reg\.test \(source\) cannot be reached at 127\.0\.0\.1:\d+/);
    assert.match(error.message, /nothing listens on this port/);
    return true;
  });
  assert.equal(world.sleeps.length, 4);
});

test('a host name that does not exist is not tried again', async (t) => {
  const world = fakeWorld();
  const client = openClient(t, 'http://no-such-host.invalid', { settings: world.settings() });

  await assert.rejects(client.ping(testRun(t)), {
    code: 'REGISTRY_UNREACHABLE',
    message: /no such host name|the name server does not answer/,
    fix: /Check the spelling .* SourcePolicy says so with endpoint:/,
  });
});

test('a registry that does not answer in time is a timeout that says what was waited for', async (t) => {
  const server = await startFakeServer(t, () => new Promise(() => {}));
  const settings = fakeWorld().settings({ timeouts: { headersMs: 50 }, retry: { attempts: 2 } });
  const client = openClient(t, server.url, { settings });

  await assert.rejects(client.repository('app').find(digest, testRun(t)), {
    code: 'REGISTRY_TIMEOUT',
    message: /waiting more than 50 ms for an answer/,
  });
  assert.equal(server.requests.length, 2);
});

test('a body that stops moving is a timeout', async (t) => {
  const server = await startFakeServer(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('12345');
  });
  const settings = fakeWorld().settings({ timeouts: { idleBodyMs: 50 }, retry: { attempts: 1 } });
  const { transport } = openClient(t, server.url, { settings });
  const url = new URL(`${server.url}/v2/`);

  await assert.rejects(transport.read({ method: 'GET', url }, 100, testRun(t)), {
    code: 'REGISTRY_TIMEOUT',
    message: /for more of the body/,
  });
});

test('an abort ends a request that waits for its answer, with the reason of the abort', async (t) => {
  const abort = new AbortController();
  const server = await startFakeServer(t, () => abort.abort(new Error('stopped by the user')));
  const client = openClient(t, server.url);

  const finding = client.repository('app').find(digest, withSignal(testRun(t), abort.signal));

  await assert.rejects(finding, /stopped by the user/);
});

test('an abort ends the wait between two tries', async (t) => {
  const abort = new AbortController();
  const server = await startFakeServer(t, (_request, response) => response.writeHead(503).end());
  const sleep = async (_delayMs: number, signal: AbortSignal) => {
    abort.abort(new Error('stopped while waiting'));
    signal.throwIfAborted();
  };
  const client = openClient(t, server.url, { settings: fakeWorld().settings({ sleep }) });

  const finding = client.repository('app').find(digest, withSignal(testRun(t), abort.signal));

  await assert.rejects(finding, /stopped while waiting/);
  assert.equal(server.requests.length, 1);
});

test('requests one after another share connections, also after HEAD and after errors', async (t) => {
  const server = await startFakeServer(t, (request, response) =>
    request.method === 'HEAD' ? response.writeHead(404).end() : sendError(response, 404, 'X'),
  );
  const repository = openClient(t, server.url).repository('app');

  for (let round = 0; round < 5; round += 1) {
    assert.equal(await repository.find(digest, testRun(t)), undefined);
    await assert.rejects(repository.fetchManifest('v1', testRun(t)), {
      code: 'MANIFEST_NOT_FOUND',
    });
  }

  // The pool may open a second one when the first is still being tidied up.
  assert.ok(server.connections() <= 2, `${server.connections()} connections for 10 requests`);
});

test('a closed client refuses further requests and closes twice without complaint', async (t) => {
  const server = await startFakeServer(t, found);
  const client = openClient(t, server.url);
  await client.repository('app').find(digest, testRun(t));

  await client.close();
  await client.close();

  await assert.rejects(client.repository('app').find(digest, testRun(t)), {
    code: 'REGISTRY_CLIENT_CLOSED',
  });
});

async function firstTag(repository: Repository, t: TestContext): Promise<void> {
  for await (const _tag of repository.listTags(testRun(t))) return;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
