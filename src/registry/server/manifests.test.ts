import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import { buildArtifact } from '../../../test/support/build-artifact.ts';
import { pushBlob, pushImage, pushManifest } from '../../../test/support/push-image.ts';
import { type Answer, sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { testRun } from '../../../test/support/test-run.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { digestOf } from '../../oci/digest.ts';
import { buildImage, buildIndex } from '../../oci/image-builder.ts';
import { maxManifestBytes } from '../../oci/manifest.ts';
import { MediaTypes } from '../../oci/media-types.ts';
import { tarLayer } from '../../oci/tar-layer.ts';

const image = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });
const index = buildIndex([image]);

function put(
  { url }: TestRegistry,
  reference: string,
  body: string | Uint8Array | Readable,
  mediaType: string = MediaTypes.ociManifest,
): Promise<Answer> {
  const path = `/v2/app/manifests/${reference}`;
  return sendRequest(url, { method: 'PUT', path, body, headers: { 'content-type': mediaType } });
}

function complaints(answer: Answer): readonly { code: string; detail?: unknown }[] {
  return (answer.json() as { errors: { code: string }[] }).errors; // the specification's form
}

async function pushBlobs(registry: TestRegistry): Promise<void> {
  for (const blob of image.blobs) await pushBlob(registry.url, 'app', blob);
}

test('a manifest is kept byte for byte, with the type it was pushed with', async (t) => {
  const registry = await startRegistry(t);
  await pushBlobs(registry);
  // Without mediaType and with odd white space: nothing may be written again.
  const { mediaType: _, ...rest } = JSON.parse(Buffer.from(image.bytes).toString()) as Descriptor;
  const body = `${JSON.stringify(rest, undefined, 3)}\n\n`;

  const answer = await put(registry, 'v1', body, `${MediaTypes.ociManifest}; charset=utf-8`);

  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers['docker-content-digest'], digestOf(body));
  assert.equal(answer.headers.location, '/v2/app/manifests/v1');
  const got = await sendRequest(registry.url, { path: '/v2/app/manifests/v1' });
  assert.equal(got.text, body);
  assert.equal(got.headers['content-type'], MediaTypes.ociManifest);
});

test('a manifest is refused with all the blobs that are missing', async (t) => {
  const registry = await startRegistry(t);

  const answer = await put(registry, 'v1', image.bytes);

  assert.equal(answer.status, 400);
  const wanted = image.blobs.map(({ descriptor: { digest } }) => ({ digest }));
  assert.deepEqual(
    complaints(answer).map(({ code, detail }) => [code, detail]),
    wanted.map((detail) => ['MANIFEST_BLOB_UNKNOWN', detail]),
  );
  assert.equal((await sendRequest(registry.url, { path: '/v2/app/tags/list' })).status, 404);
});

test('blobs of another repository do not count', async (t) => {
  const registry = await startRegistry(t);
  for (const blob of image.blobs) await pushBlob(registry.url, 'other', blob);

  const answer = await put(registry, 'v1', image.bytes);

  assert.equal(complaints(answer)[0]?.code, 'MANIFEST_BLOB_UNKNOWN');
});

test('a manifest that states a wrong size of a blob is refused', async (t) => {
  const registry = await startRegistry(t);
  await pushBlobs(registry);
  const lying = Buffer.from(image.bytes)
    .toString()
    .replace(/"size":\d+/, '"size":1');

  const answer = await put(registry, 'v1', lying);

  assert.equal(answer.status, 400);
  assert.equal(complaints(answer)[0]?.code, 'SIZE_INVALID');
});

test('foreign layers and a missing subject are accepted', async (t) => {
  const registry = await startRegistry(t);
  await pushBlobs(registry);
  const manifest = JSON.parse(Buffer.from(image.bytes).toString()) as Record<string, unknown>; // ours
  const foreign = {
    mediaType: 'application/vnd.oci.image.layer.nondistributable.v1.tar+gzip',
    digest: digestOf('elsewhere'),
    size: 9,
    urls: ['https://example.com/layer'],
  };
  const subject = { mediaType: MediaTypes.ociManifest, digest: digestOf('later'), size: 5 };

  const answer = await put(
    registry,
    'v1',
    JSON.stringify({ ...manifest, layers: [foreign], subject }),
  );

  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers['oci-subject'], subject.digest);
});

test('a sparse index is accepted, or refused where the registry is told so', async (t) => {
  const open = await startRegistry(t);
  const strict = await startRegistry(t, { acceptSparseIndexes: false });

  assert.equal((await put(open, 'v1', index.bytes, MediaTypes.ociIndex)).status, 201);
  const refused = await put(strict, 'v1', index.bytes, MediaTypes.ociIndex);
  assert.equal(refused.status, 400);
  assert.equal(complaints(refused)[0]?.code, 'MANIFEST_BLOB_UNKNOWN');

  await pushImage(strict.url, 'app', 'v1', index);
});

for (const [what, body, mediaType] of [
  ['no JSON', '{', MediaTypes.ociManifest],
  ['nothing', '', MediaTypes.ociManifest],
  ['HTML', '<html></html>', MediaTypes.ociManifest],
  ['of another type than it says', Buffer.from(index.bytes), MediaTypes.ociManifest],
  ['schema 1', '{"schemaVersion":1}', MediaTypes.dockerSchema1],
  ['of an unknown type', '{"schemaVersion":2,"mediaType":"text/x"}', 'text/x'],
  ['both image and index', '{"schemaVersion":2,"layers":[],"manifests":[]}', MediaTypes.ociIndex],
] as const) {
  test(`a manifest that is ${what} is refused and nothing is stored`, async (t) => {
    const registry = await startRegistry(t);

    const answer = await put(registry, 'v1', body, mediaType);

    assert.equal(answer.status, 400);
    assert.equal(complaints(answer)[0]?.code, 'MANIFEST_INVALID');
    for await (const { digest } of registry.store.list(testRun(t))) assert.fail(digest);
  });
}

test('a manifest over 4 MiB gets 413, with and without a length', async (t) => {
  const registry = await startRegistry(t);
  const body = Buffer.alloc(maxManifestBytes + 1, ' ');

  for (const sent of [body, Readable.from([body.subarray(0, 9), body.subarray(9)])]) {
    const answer = await put(registry, 'v1', sent);
    assert.equal(answer.status, 413);
    assert.equal(complaints(answer)[0]?.code, 'SIZE_INVALID');
  }
});

test('a manifest of exactly 4 MiB is accepted', async (t) => {
  const registry = await startRegistry(t);
  const text = Buffer.from(index.bytes).toString();

  const answer = await put(registry, 'v1', text.padEnd(maxManifestBytes), MediaTypes.ociIndex);

  assert.equal(answer.status, 201, answer.text);
});

test('a manifest put under another digest than its own is refused', async (t) => {
  const registry = await startRegistry(t);
  await pushBlobs(registry);

  const answer = await put(registry, digestOf('x'), image.bytes);

  assert.equal(answer.status, 400);
  assert.equal(complaints(answer)[0]?.code, 'DIGEST_INVALID');
});

for (const algorithm of ['sha256', 'sha512'] as const) {
  test(`a manifest put under its ${algorithm} digest gets the tags of the query`, async (t) => {
    const registry = await startRegistry(t);
    await pushBlobs(registry);
    const digest = digestOf(image.bytes, algorithm);

    const answer = await put(registry, `${digest}?tag=v1&tag=latest`, image.bytes);

    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers['oci-tag'], 'v1, latest');
    for (const reference of ['v1', 'latest', digest]) {
      const got = await sendRequest(registry.url, { path: `/v2/app/manifests/${reference}` });
      assert.equal(got.headers['docker-content-digest'], digest);
    }
  });
}

test('a tag that is none is refused', async (t) => {
  const registry = await startRegistry(t);
  await pushBlobs(registry);

  for (const reference of ['.hidden', '-x', 'a'.repeat(129), `${image.descriptor.digest}?tag=.x`]) {
    const answer = await put(registry, reference, image.bytes);
    assert.equal(answer.status, 400);
    assert.equal(complaints(answer)[0]?.code, 'MANIFEST_INVALID');
  }
});

test('a tag that moves shows the new manifest at once', async (t) => {
  const registry = await startRegistry(t);
  await pushImage(registry.url, 'app', 'v1', image);
  await sendRequest(registry.url, { path: '/v2/app/manifests/v1' });
  const other = buildImage({ layers: [tarLayer([{ path: 'b', content: 'b' }])] });

  await pushImage(registry.url, 'app', 'v1', other);

  const { headers } = await sendRequest(registry.url, { path: '/v2/app/manifests/v1' });
  assert.equal(headers['docker-content-digest'], other.descriptor.digest);
});

test('deleting a tag leaves the manifest; deleting the manifest takes its tags', async (t) => {
  const registry = await startRegistry(t);
  const { url } = registry;
  await pushImage(url, 'app', 'v1', image);
  await pushManifest(url, 'app', 'v2', image);
  const byDigest = `/v2/app/manifests/${image.descriptor.digest}`;
  const statusOf = async (path: string, method = 'GET') =>
    (await sendRequest(url, { method, path })).status;

  assert.equal(await statusOf('/v2/app/manifests/v1', 'DELETE'), 202);
  assert.equal(await statusOf('/v2/app/manifests/v1'), 404);
  assert.equal(await statusOf('/v2/app/manifests/v2'), 200);
  assert.equal(await statusOf(byDigest, 'DELETE'), 202);
  assert.equal(await statusOf('/v2/app/manifests/v2'), 404);
  assert.equal(await statusOf(byDigest), 404);
  assert.equal(await statusOf(byDigest, 'DELETE'), 404);
  assert.equal(await statusOf('/v2/other/manifests/v1', 'DELETE'), 404);
});

test('deleting a blob lets go of it in this repository only', async (t) => {
  const registry = await startRegistry(t);
  const [config] = image.blobs;
  assert.ok(config);
  for (const name of ['app', 'other']) await pushBlob(registry.url, name, config);
  const statusOf = async (name: string, method: string) => {
    const path = `/v2/${name}/blobs/${config.descriptor.digest}`;
    return (await sendRequest(registry.url, { method, path })).status;
  };

  assert.equal(await statusOf('app', 'DELETE'), 202);
  assert.equal(await statusOf('app', 'HEAD'), 404);
  assert.equal(await statusOf('app', 'DELETE'), 404);
  assert.equal(await statusOf('other', 'HEAD'), 200);
});

test('a registry that deletes nothing says so', async (t) => {
  const registry = await startRegistry(t, { mayDelete: false });
  await pushImage(registry.url, 'app', 'v1', image);

  const answer = await sendRequest(registry.url, {
    method: 'DELETE',
    path: '/v2/app/manifests/v1',
  });

  assert.equal(answer.status, 405);
  assert.equal(complaints(answer)[0]?.code, 'UNSUPPORTED');
});

test('an artefact about an image is listed among its referrers, filtered by type', async (t) => {
  const registry = await startRegistry(t);
  await pushImage(registry.url, 'app', 'v1', image);
  const layers = [{ mediaType: 'text/plain', bytes: Buffer.from('signed') }];
  const about = { layers, subject: image.descriptor };
  const signature = buildArtifact({ ...about, artifactType: 'text/signature' });
  const sbom = buildArtifact({ ...about, artifactType: 'text/sbom' });
  for (const artefact of [signature, sbom]) {
    await pushImage(registry.url, 'app', artefact.descriptor.digest, artefact);
  }
  const list = async (query = '', name = 'app') => {
    const path = `/v2/${name}/referrers/${image.descriptor.digest}${query}`;
    const answer = await sendRequest(registry.url, { path });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-type'], MediaTypes.ociIndex);
    const { manifests } = answer.json() as { manifests: Descriptor[] }; // an index, as the header says
    return { types: manifests.map((item) => item.artifactType), headers: answer.headers };
  };

  assert.deepEqual((await list()).types.sort(), ['text/sbom', 'text/signature']);
  const filtered = await list('?artifactType=text/sbom');
  assert.deepEqual(filtered.types, ['text/sbom']);
  assert.equal(filtered.headers['oci-filters-applied'], 'artifactType');
  assert.deepEqual((await list('?artifactType=text/other')).types, []);
  assert.deepEqual((await list('', 'nowhere')).types, []);

  const gone = `/v2/app/manifests/${sbom.descriptor.digest}`;
  await sendRequest(registry.url, { method: 'DELETE', path: gone });
  assert.deepEqual((await list()).types, ['text/signature']);
});

test('a list of referrers that is too long for one index goes on behind a link', async (t) => {
  const registry = await startRegistry(t);
  const subject = digestOf('subject');
  const annotations = { text: 'x'.repeat(1024 * 1024) };
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const descriptor = {
      mediaType: MediaTypes.ociManifest,
      digest: digestOf(name),
      size: 1,
      annotations,
    };
    await registry.repositories.putManifest('app', { descriptor, subject });
  }

  const seen: string[] = [];
  let path: string | undefined = `/v2/app/referrers/${subject}`;
  let pages = 0;
  while (path !== undefined) {
    const answer: Answer = await sendRequest(registry.url, { path });
    assert.ok(answer.bytes.length <= maxManifestBytes);
    const { manifests } = answer.json() as { manifests: Descriptor[] }; // an index, as above
    seen.push(...manifests.map((item) => item.digest));
    path = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1];
    pages += 1;
  }

  assert.equal(pages, 2);
  assert.equal(new Set(seen).size, 6);
  assert.equal(seen.length, 6);
});
