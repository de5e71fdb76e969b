import assert from 'node:assert/strict';
import test from 'node:test';
import { buildArtifact } from '../../../test/support/build-artifact.ts';
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
import { buildImage, buildIndex } from '../../oci/image-builder.ts';
import { MediaTypes } from '../../oci/media-types.ts';
import { referrersTag } from '../../oci/referrers.ts';
import { tarLayer } from '../../oci/tar-layer.ts';

const image = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });
const { mediaType, digest } = image.descriptor;
const other = digestOf('something else');

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
