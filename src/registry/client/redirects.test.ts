import assert from 'node:assert/strict';
import test from 'node:test';
import { type FakeHandler, startFakeServer } from '../../../test/support/fake-server.ts';
import { openClient, passwordOf } from '../../../test/support/open-client.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { collectBytes } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';

const bytes = Buffer.from('layer');
const blob = { digest: digestOf(bytes), size: bytes.length };
const ann = passwordOf('ann', 'secret');

/** Wants Basic credentials, then sends the client elsewhere. */
function redirecting(to: () => string, status = 307): FakeHandler {
  return ({ headers }, response) => {
    if (headers.authorization === undefined) {
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    }
    return response.writeHead(status, { location: to() }).end();
  };
}

test('a blob is read from the storage host without credentials', async (t) => {
  const storage = await startFakeServer(t, (request, response) => {
    // Object stores refuse a signed URL that comes with an Authorization header as well.
    if (request.headers.authorization !== undefined) return response.writeHead(400).end();
    return response.end(bytes);
  });
  const registry = await startFakeServer(
    t,
    redirecting(() => `${storage.url}/signed?sig=abc`),
  );
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  const read = await collectBytes(await repository.open(blob, testRun(t)));

  assert.deepEqual(Buffer.from(read), bytes);
  assert.deepEqual(storage.asked, ['GET /signed?sig=abc']);
});

test('a redirect on the same host keeps the credentials, also to a relative address', async (t) => {
  const registry = await startFakeServer(t, (request, response) => {
    if (request.path === '/elsewhere' && request.headers.authorization !== undefined) {
      return response.end(bytes);
    }
    return redirecting(() => '/elsewhere')(request, response);
  });
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  const read = await collectBytes(await repository.open(blob, testRun(t)));

  assert.deepEqual(Buffer.from(read), bytes);
});

test('a header of the caller goes to its own host only', async (t) => {
  const other = await startFakeServer(t, (_request, response) => response.end());
  const registry = await startFakeServer(t, (_request, response) =>
    response.writeHead(307, { location: `${other.url}/x` }).end(),
  );
  const { transport } = openClient(t, registry.url);

  const response = await transport.request(
    {
      method: 'GET',
      url: new URL(`${registry.url}/v2/`),
      headers: { 'x-token': 'mine', accept: 'application/json' },
    },
    testRun(t),
  );
  await response.discard();

  assert.equal(registry.requests[0]?.headers['x-token'], 'mine');
  assert.equal(other.requests[0]?.headers['x-token'], undefined);
  assert.equal(other.requests[0]?.headers.accept, 'application/json');
  assert.equal(response.url.host, other.host);
});

test('a redirect is the answer for who wants to see it', async (t) => {
  const registry = await startFakeServer(t, (_request, response) =>
    response.writeHead(307, { location: 'http://cdn.test/x' }).end(),
  );
  const { transport } = openClient(t, registry.url);

  const url = new URL(`${registry.url}/v2/`);
  const response = await transport.request(
    { method: 'GET', url, followRedirects: false },
    testRun(t),
  );
  await response.discard();

  assert.equal(response.status, 307);
  assert.equal(response.headers['location'], 'http://cdn.test/x');
});

test('redirects in a circle end', async (t) => {
  const registry = await startFakeServer(t, (_request, response) =>
    response.writeHead(307, { location: '/again' }).end(),
  );
  const repository = openClient(t, registry.url).repository('app');

  await assert.rejects(repository.open(blob, testRun(t)), { code: 'REGISTRY_REDIRECT_REFUSED' });
  assert.equal(registry.requests.length, 6);
});

test('a redirect from HTTPS to plain HTTP is refused, unless it is allowed', async (t) => {
  const { ca, tls } = await serverCertificate();
  const storage = await startFakeServer(t, (_request, response) => response.end(bytes));
  const registry = await startFakeServer(
    t,
    (_request, response) => response.writeHead(307, { location: `${storage.url}/b?sig=x` }).end(),
    tls,
  );
  const careful = openClient(t, registry.url, { trust: { ca } }).repository('app');
  const allowing = openClient(t, registry.url, { trust: { ca }, allowPlainRedirects: true });

  await assert.rejects(careful.open(blob, testRun(t)), (error: Error) => {
    assert.equal('code' in error && error.code, 'REGISTRY_REDIRECT_REFUSED');
    assert.match(error.message, /from HTTPS to plain HTTP/);
    assert.doesNotMatch(error.message, /sig=x/);
    return true;
  });
  assert.deepEqual(storage.asked, []);

  const read = await collectBytes(await allowing.repository('app').open(blob, testRun(t)));
  assert.deepEqual(Buffer.from(read), bytes);
});

for (const location of [undefined, 'ftp://x/y', 'http://[']) {
  test(`a redirect to ${location} is refused`, async (t) => {
    const registry = await startFakeServer(t, (_request, response) =>
      response.writeHead(302, location === undefined ? {} : { location }).end(),
    );
    const repository = openClient(t, registry.url).repository('app');

    await assert.rejects(repository.open(blob, testRun(t)), { code: 'REGISTRY_REDIRECT_REFUSED' });
  });
}

test('an upload is sent again after 308 and is not turned into reading by 302', async (t) => {
  const bodies: string[] = [];
  const registry = await startFakeServer(t, async (request, response) => {
    bodies.push((await request.body()).toString());
    if (request.path.endsWith('/moved')) return response.writeHead(201).end();
    if (request.path.endsWith('/v1')) return response.writeHead(308, { location: '/moved' }).end();
    return response.writeHead(302, { location: '/moved' }).end();
  });
  const { transport } = openClient(t, registry.url);
  const put = (path: string) =>
    transport.request(
      { method: 'PUT', url: new URL(path, registry.url), body: Buffer.from('hi') },
      testRun(t),
    );

  const moved = await put('/v2/app/manifests/v1');
  await moved.discard();
  await assert.rejects(put('/v2/app/manifests/v2'), { code: 'REGISTRY_REDIRECT_REFUSED' });

  assert.equal(moved.status, 201);
  assert.deepEqual(bodies, ['hi', 'hi', 'hi']);
});
