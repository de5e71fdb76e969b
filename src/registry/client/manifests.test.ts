import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type FakeHandler,
  sendError,
  sendJson,
  startFakeServer,
} from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { digestOf } from '../../oci/digest.ts';
import { buildArtifact, buildImage, buildIndex } from '../../oci/image-builder.ts';
import { MediaTypes } from '../../oci/media-types.ts';
import { referrersTag } from '../../oci/referrers.ts';
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
      if (!code.startsWith('MANIFEST_SCHEMA1')) assert.match(error.message, /reg\.test/);
      return true;
    });
  });
}

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

  await assert.rejects(repository.fetchManifest('v1', testRun(t)), { code: 'MANIFEST_TOO_LARGE' });
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

/** Takes every manifest; keeps what was put under which reference. */
function taking(headers: Readonly<Record<string, string>> = {}) {
  const stored = new Map<string, Buffer>();
  const handler: FakeHandler = async (request, response) => {
    const reference = request.path.split('/').at(-1) ?? '';
    if (request.method === 'PUT') {
      stored.set(reference, await request.body());
      return response.writeHead(201, headers).end();
    }
    const found = stored.get(reference);
    if (found === undefined) return sendError(response, 404, 'MANIFEST_UNKNOWN');
    return response.writeHead(200, { 'content-type': MediaTypes.ociIndex }).end(found);
  };
  return { stored, handler };
}

test('a manifest with a tag is one request', async (t) => {
  const server = await startFakeServer(t, taking().handler);
  const repository = openClient(t, server.url).repository('app');

  await repository.putManifest(image, 'v1', testRun(t));

  assert.deepEqual(server.asked, ['PUT /v2/app/manifests/v1']);
  assert.equal(server.requests[0]?.headers['content-type'], mediaType);
});

test('a manifest with a sha512 digest is also put under that digest', async (t) => {
  const server = await startFakeServer(t, taking().handler);
  const repository = openClient(t, server.url).repository('app');
  const sha512 = digestOf(image.bytes, 'sha512');
  const manifest = { ...image, descriptor: { ...image.descriptor, digest: sha512 } };

  await repository.putManifest(manifest, 'v1', testRun(t));

  assert.deepEqual(server.asked, [`PUT /v2/app/manifests/${sha512}`, 'PUT /v2/app/manifests/v1']);
});

test('a registry that stores other bytes than were sent is caught', async (t) => {
  const server = await startFakeServer(t, taking({ 'docker-content-digest': other }).handler);
  const repository = openClient(t, server.url).repository('app');

  await assert.rejects(repository.putManifest(image, 'v1', testRun(t)), {
    code: 'MANIFEST_DIGEST_MISMATCH',
    message: /\(target\)/,
  });
});

for (const [what, manifest, isIndex] of [
  ['an index', buildIndex([image]), true],
  ['an image', image, false],
] as const) {
  test(`a registry that misses the parts of ${what} is told apart from other refusals`, async (t) => {
    const server = await startFakeServer(t, (_request, response) =>
      sendError(response, 400, 'MANIFEST_BLOB_UNKNOWN'),
    );
    const repository = openClient(t, server.url).repository('app');

    await assert.rejects(repository.putManifest(manifest, 'v1', testRun(t)), {
      code: 'MANIFEST_INCOMPLETE',
      fix: isIndex ? /all platforms.*rewritten/ : /slipway load/,
    });
  });
}

const artifactType = 'application/vnd.example.signature';
const signature = (text: string) =>
  buildArtifact({
    artifactType,
    layers: [{ mediaType: 'text/plain', bytes: Buffer.from(text) }],
    subject: image.descriptor,
  });

test('a registry with the referrers API is left to list an artefact by itself', async (t) => {
  const { stored, handler } = taking({ 'oci-subject': digest });
  const server = await startFakeServer(t, handler);
  const repository = openClient(t, server.url).repository('app');

  await repository.putManifest(signature('one'), undefined, testRun(t));

  assert.equal(stored.size, 1);
});

test('without the referrers API artefacts are listed under the fallback tag, none lost', async (t) => {
  const { handler } = taking();
  const server = await startFakeServer(t, handler);
  const repository = openClient(t, server.url).repository('app');
  const signatures = [signature('one'), signature('two'), signature('three')];

  await Promise.all(signatures.map((each) => repository.putManifest(each, undefined, testRun(t))));
  // A second time changes nothing.
  await repository.putManifest(signature('one'), undefined, testRun(t));

  const listed = await repository.referrers(digest, testRun(t), artifactType);
  assert.deepEqual(
    listed.map((each) => each.digest).sort(),
    signatures.map((each) => each.descriptor.digest).sort(),
  );
  assert.ok(server.asked.includes(`PUT /v2/app/manifests/${referrersTag(digest)}`));
});

test('referrers come from the API page by page, filtered here if not there', async (t) => {
  const [one, two] = [signature('one').descriptor, signature('two').descriptor];
  const foreign = { ...one, digest: other, artifactType: 'application/vnd.other' };
  const server = await startFakeServer(t, (request, response) => {
    const page = (manifests: unknown, headers = {}) =>
      sendJson(response, 200, { schemaVersion: 2, manifests }, headers);
    if (request.path.includes('page=2')) return page([two]);
    return page([one, foreign], { link: `</v2/app/referrers/${digest}?page=2>; rel="next"` });
  });
  const repository = openClient(t, server.url).repository('app');

  const listed = await repository.referrers(digest, testRun(t), artifactType);

  assert.deepEqual(
    listed.map((each) => each.digest),
    [one.digest, two.digest],
  );
  assert.match(server.asked[0] ?? '', /artifactType=application%2Fvnd\.example\.signature/);
});

test('deleting works by tag and by digest, and what is gone already is no error', async (t) => {
  const server = await startFakeServer(t, (request, response) =>
    request.path.endsWith('/gone') ? sendError(response, 404, 'X') : response.writeHead(202).end(),
  );
  const repository = openClient(t, server.url).repository('app');

  await repository.deleteTag('v1', testRun(t));
  await repository.deleteTag('gone', testRun(t));
  await repository.deleteManifest(digest, testRun(t));
  await repository.deleteBlob(digest, testRun(t));

  assert.deepEqual(server.asked, [
    'DELETE /v2/app/manifests/v1',
    'DELETE /v2/app/manifests/gone',
    `DELETE /v2/app/manifests/${digest}`,
    `DELETE /v2/app/blobs/${digest}`,
  ]);
});

test('a registry that does not allow deleting is named', async (t) => {
  const server = await startFakeServer(t, (_request, response) =>
    sendError(response, 405, 'UNSUPPORTED'),
  );
  const settings = fakeWorld().settings();
  const repository = openClient(t, server.url, { settings }).repository('app');

  await assert.rejects(repository.deleteTag('v1', testRun(t)), {
    code: 'REGISTRY_REFUSED',
    message: /refuses deleting v1 in reg\.test\/app with status 405: UNSUPPORTED/,
  });
});
