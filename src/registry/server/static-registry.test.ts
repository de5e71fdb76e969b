import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { buildArtifact } from '../../../test/support/build-artifact.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import { MemoryStore } from '../../content/memory-store.ts';
import type { BlobFinder, BlobReader } from '../../content/ports.ts';
import { type Digest, digestOf } from '../../oci/digest.ts';
import { type BuiltBlob, buildImage, buildIndex } from '../../oci/image-builder.ts';
import { tarLayer } from '../../oci/tar-layer.ts';
import { startRegistryServer } from './server.ts';
import { openStaticRegistry, type StaticRepository } from './static-registry.ts';

const imageOf = (text: string) =>
  buildImage({ layers: [tarLayer([{ path: text, content: text }])] });
const [one, two, absent] = [imageOf('one'), imageOf('two'), imageOf('absent')];
const index = buildIndex([one, absent]);
const signature = buildArtifact({ artifactType: 'text/x', layers: [], subject: one.descriptor });

async function storeOf(t: TestContext, blobs: readonly BuiltBlob[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const { descriptor, bytes } of blobs)
    await store.put(descriptor, bytesOf(bytes), testRun(t));
  return store;
}

const everything = [index, one, ...one.blobs, two, ...two.blobs, signature, ...signature.blobs];

async function serve(t: TestContext, served: readonly StaticRepository[]): Promise<string> {
  const content = await storeOf(t, everything);
  const storage = await openStaticRegistry(served, content, testRun(t));
  const server = await startRegistryServer({ storage }, testRun(t));
  t.after(() => server.stop());
  return server.url;
}

test('a list of repositories is served with all that its manifests name', async (t) => {
  const url = await serve(t, [
    {
      repository: 'app',
      tags: { v1: index.descriptor.digest },
      digests: [signature.descriptor.digest],
    },
    { repository: 'flat', tags: { v2: two.descriptor.digest }, digests: [] },
  ]);
  const statusOf = async (path: string) => (await sendRequest(url, { path: `/v2/${path}` })).status;

  const manifest = await sendRequest(url, { path: '/v2/app/manifests/v1' });
  assert.deepEqual(manifest.bytes, Buffer.from(index.bytes));
  assert.equal(manifest.headers['content-type'], index.descriptor.mediaType);
  assert.equal(await statusOf(`app/manifests/${one.descriptor.digest}`), 200);
  for (const { descriptor } of one.blobs) {
    assert.equal(await statusOf(`app/blobs/${descriptor.digest}`), 200);
    assert.equal(await statusOf(`flat/blobs/${descriptor.digest}`), 404);
  }
  assert.equal(await statusOf(`app/manifests/${absent.descriptor.digest}`), 404);
  assert.equal(await statusOf('flat/manifests/v2'), 200);
  const referrers = await sendRequest(url, { path: `/v2/app/referrers/${one.descriptor.digest}` });
  assert.match(referrers.text, new RegExp(signature.descriptor.digest));
  const catalogue = await sendRequest(url, { path: '/v2/_catalog' });
  assert.deepEqual(catalogue.json(), { repositories: ['app', 'flat'] });
});

test('it takes no writes and says that its content is fixed', async (t) => {
  const url = await serve(t, []);

  const answer = await sendRequest(url, { method: 'POST', path: '/v2/app/blobs/uploads/' });

  assert.equal(answer.status, 405);
  assert.match(answer.text, /UNSUPPORTED.*its content is fixed/);
});

test('a manifest of the list that the content lacks is named', async (t) => {
  const content = await storeOf(t, []);
  const { digest } = two.descriptor;
  const served = [{ repository: 'app', tags: { v1: digest }, digests: [] }];

  await assert.rejects(openStaticRegistry(served, content, testRun(t)), {
    code: 'STATIC_CONTENT_MISSING',
    message: `the manifest ${digest} of app is not in the content to serve`,
  });
});

test('a manifest is read once however many repositories serve it, and no blob is', async (t) => {
  const store = await storeOf(t, everything);
  const opened: Digest[] = [];
  const counting: BlobReader & BlobFinder = {
    find: (digest, run) => store.find(digest, run),
    open: (blob, run, fromByte) => {
      opened.push(blob.digest);
      return store.open(blob, run, fromByte);
    },
  };
  const tags = { v1: index.descriptor.digest };
  const served = ['a', 'b', 'c'].map((repository) => ({ repository, tags, digests: [] }));

  await openStaticRegistry(served, counting, testRun(t));

  assert.deepEqual(opened, [index.descriptor.digest, one.descriptor.digest]);
});

test('a manifest that does not say its type is sent as it is declared', async (t) => {
  // A copy of a parsed manifest, to drop one field.
  const { mediaType: _, ...rest } = JSON.parse(Buffer.from(two.bytes).toString()) as {
    mediaType: string;
  };
  const bytes = Buffer.from(JSON.stringify(rest));
  const digest = digestOf(bytes);
  const dockerType = 'application/vnd.docker.distribution.manifest.v2+json';
  const content = await storeOf(t, [
    ...two.blobs,
    { bytes, descriptor: { mediaType: '', digest, size: bytes.length } },
  ]);
  const served = { repository: 'app', tags: { v1: digest }, digests: [] };
  const storage = await openStaticRegistry(
    [{ ...served, mediaTypes: new Map([[digest, dockerType]]) }],
    content,
    testRun(t),
  );
  const server = await startRegistryServer({ storage, hasMetrics: false }, testRun(t));
  t.after(() => server.stop());

  const manifest = await sendRequest(server.url, { path: '/v2/app/manifests/v1' });

  assert.equal(manifest.headers['content-type'], dockerType);
});
