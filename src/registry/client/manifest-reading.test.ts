import assert from 'node:assert/strict';
import test from 'node:test';
import { type FakeHandler, sendError, startFakeServer } from '../../../test/support/fake-server.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { digestOf } from '../../oci/digest.ts';
import { buildImage } from '../../oci/image-builder.ts';
import { MediaTypes } from '../../oci/media-types.ts';
import { tarLayer } from '../../oci/tar-layer.ts';

const image = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });
const { mediaType, digest, size } = image.descriptor;

/** Serves the image's manifest; `changes` overrides headers (undefined leaves one out) and body. */
function serving(changes: {
  headers?: Readonly<Record<string, string | undefined>>;
  body?: Uint8Array | string;
}): FakeHandler {
  const body = changes.body ?? image.bytes;
  const all = {
    'content-type': mediaType,
    'docker-content-digest': digest,
    'content-length': String(body.length),
    ...changes.headers,
  };
  const headers = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return ({ method }, response) =>
    response.writeHead(200, headers).end(method === 'HEAD' ? undefined : body);
}

test('a manifest is asked for with all types that can be read', async (t) => {
  const server = await startFakeServer(t, (request, response) =>
    // As distribution does it: an index is not found by who does not accept indexes.
    request.headers.accept?.includes(MediaTypes.ociIndex)
      ? serving({})(request, response)
      : sendError(response, 404, 'MANIFEST_UNKNOWN'),
  );
  const repository = openClient(t, server.url).repository('app');

  const fetched = await repository.fetchManifest('v1', testRun(t));

  assert.deepEqual(fetched.descriptor, { mediaType, digest, size });
  assert.deepEqual(Buffer.from(fetched.bytes), image.bytes);
});

test('an address with a path prefix is kept before /v2/', async (t) => {
  const server = await startFakeServer(t, serving({}));
  const repository = openClient(t, `${server.url}/mirror/`).repository('team/app');

  await repository.fetchManifest('v1', testRun(t));

  assert.deepEqual(server.asked, ['GET /mirror/v2/team/app/manifests/v1']);
});

const other = digestOf('something else');
const refused: ReadonlyArray<
  readonly [claim: string, reference: string, handler: FakeHandler, code: string]
> = [
  [
    'bytes that differ from the digest asked for',
    other,
    serving({ headers: { 'docker-content-digest': undefined } }),
    'MANIFEST_DIGEST_MISMATCH',
  ],
  [
    'bytes that differ from the digest in the answer',
    'v1',
    serving({ headers: { 'docker-content-digest': other } }),
    'MANIFEST_DIGEST_MISMATCH',
  ],
  [
    'a web page with status 200',
    'v1',
    serving({
      headers: { 'content-type': 'text/html', 'docker-content-digest': undefined },
      body: '<html><title>Sign in</title></html>',
    }),
    'REGISTRY_NOT_A_REGISTRY',
  ],
  [
    'a web page with status 404',
    'v1',
    (_request, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>no</html>'),
    'REGISTRY_NOT_A_REGISTRY',
  ],
  [
    'JSON that is no manifest',
    'v1',
    serving({ headers: { 'docker-content-digest': undefined }, body: '{"ok":true}' }),
    'MANIFEST_INVALID',
  ],
  [
    'a schema 1 manifest',
    'v1',
    serving({
      headers: {
        'docker-content-digest': undefined,
        'content-type': MediaTypes.dockerSchema1Signed,
      },
      body: '{"schemaVersion":1,"fsLayers":[]}',
    }),
    'MANIFEST_SCHEMA1_UNSUPPORTED',
  ],
  [
    'a manifest that is not there',
    'v1',
    (_request, response) => sendError(response, 404, 'MANIFEST_UNKNOWN'),
    'MANIFEST_NOT_FOUND',
  ],
  [
    'a repository that may not be read',
    'v1',
    (_request, response) => sendError(response, 403, 'DENIED'),
    'REGISTRY_DENIED',
  ],
  [
    'an answer that nobody expects',
    'v1',
    (_request, response) => response.writeHead(418).end('teapot'),
    'REGISTRY_REFUSED',
  ],
];

for (const [claim, reference, handler, code] of refused) {
  test(`${claim} is ${code}, with registry and side`, async (t) => {
    const server = await startFakeServer(t, handler);
    const repository = openClient(t, server.url).repository('app');

    await assert.rejects(repository.fetchManifest(reference, testRun(t)), (error: Error) => {
      assert.equal('code' in error && error.code, code);
      assert.match(error.message, /reg\.test.*\(source\)/);
      return true;
    });
  });
}

test('the target of a load is called the target, also where it is only read', async (t) => {
  const page: FakeHandler = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>');
  const web = await startFakeServer(t, page);
  const target = openClient(t, web.url, { side: 'target' }).repository('app');
  const gone = openClient(t, 'http://127.0.0.1:1', { side: 'target' }).repository('app');
  const digest = digestOf('layer');
  const run = testRun(t);

  for (const asking of [
    () => target.findManifest('v1', run),
    () => target.fetchManifest('v1', run),
    () => gone.findManifest('v1', run),
    () => gone.find(digest, run),
  ]) {
    await assert.rejects(asking(), { message: /reg\.test.*\(target\)/ });
  }
});

test('a manifest over 4 MiB is refused while it streams, not after', async (t) => {
  let sentBytes = 0;
  const server = await startFakeServer(t, (request, response) => {
    response.writeHead(200, { 'content-type': mediaType });
    const more = () => {
      while (!request.incoming.destroyed && sentBytes < 64 * 1024 * 1024) {
        sentBytes += 65_536;
        if (!response.write(Buffer.alloc(65_536, 32))) return;
      }
    };
    response.on('drain', more);
    more();
  });
  const repository = openClient(t, server.url).repository('app');

  await assert.rejects(repository.fetchManifest('v1', testRun(t)), {
    code: 'MANIFEST_TOO_LARGE',
    message: /^reg\.test\/app:v1 \(source\) has/,
  });
  assert.ok(sentBytes < 32 * 1024 * 1024, `${sentBytes} bytes were sent`);
});

test('a manifest that is cut short is asked for again', async (t) => {
  let cuts = 1;
  const server = await startFakeServer(t, (request, response) => {
    cuts -= 1;
    if (cuts < 0) return serving({})(request, response);
    response.writeHead(200, { 'content-length': String(size) });
    return response.write(image.bytes.subarray(0, 20), () => request.incoming.socket.destroy());
  });
  const repository = openClient(t, server.url).repository('app');

  const fetched = await repository.fetchManifest(digest, testRun(t));

  assert.equal(fetched.descriptor.digest, digest);
});

test('resolving costs one HEAD where the registry answers it fully', async (t) => {
  const server = await startFakeServer(t, serving({}));
  const repository = openClient(t, server.url).repository('app');

  assert.deepEqual(await repository.resolve('v1', testRun(t)), { mediaType, digest, size });
  assert.deepEqual(server.asked, ['HEAD /v2/app/manifests/v1']);
});

const halfAnswers: ReadonlyArray<readonly [claim: string, handler: FakeHandler]> = [
  [
    'no HEAD',
    (request, response) =>
      request.method === 'HEAD' ? response.writeHead(405).end() : serving({})(request, response),
  ],
  ['no digest', serving({ headers: { 'docker-content-digest': undefined } })],
  ['no length', serving({ headers: { 'content-length': undefined } })],
  ['an odd type', serving({ headers: { 'content-type': 'text/plain' } })],
];

for (const [claim, handler] of halfAnswers) {
  test(`a registry with ${claim} is resolved by GET`, async (t) => {
    const server = await startFakeServer(t, handler);
    const repository = openClient(t, server.url).repository('app');

    assert.deepEqual(await repository.resolve('v1', testRun(t)), { mediaType, digest, size });
    assert.equal(server.asked.at(-1), 'GET /v2/app/manifests/v1');
  });
}

test('resolving by digest refuses an answer for another one', async (t) => {
  const server = await startFakeServer(t, serving({}));
  const repository = openClient(t, server.url).repository('app');

  await assert.rejects(repository.resolve(other, testRun(t)), { code: 'MANIFEST_DIGEST_MISMATCH' });
});

test('a tag that is not there is found undefined and resolved with an error', async (t) => {
  const server = await startFakeServer(t, (_request, response) =>
    sendError(response, 404, 'MANIFEST_UNKNOWN'),
  );
  const repository = openClient(t, server.url).repository('app');

  assert.equal(await repository.findManifest('v1', testRun(t)), undefined);
  await assert.rejects(repository.resolve('v1', testRun(t)), {
    code: 'MANIFEST_NOT_FOUND',
    message: /reg\.test\/app \(source\) has no image v1/,
  });
});
