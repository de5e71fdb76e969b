/** What the engine does with the odd parts of manifests. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { buildArtifact } from '../../../../test/support/build-artifact.ts';
import { blobOf, indexOf, manifestOf } from '../../../../test/support/build-manifest.ts';
import { FakeRegistry, fill } from '../../../../test/support/fake-registry.ts';
import { testRun } from '../../../../test/support/test-run.ts';
import { buildImage } from '../../../oci/image-builder.ts';
import { MediaTypes } from '../../../oci/media-types.ts';
import { tarLayer } from '../../../oci/tar-layer.ts';
import { copyImages } from './copy-images.ts';

const amd64 = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });

test('content that a descriptor carries in itself is not fetched', async (t) => {
  const plain = buildImage({ layers: [] });
  const [config] = plain.blobs;
  assert.ok(config);
  const data = Buffer.from(config.bytes).toString('base64');
  const upstream = new FakeRegistry('upstream.example');
  const image = manifestOf({ ...config.descriptor, data });
  await fill(upstream, 'app', { ...image, blobs: [config] }, { tag: 'v1', run: testRun(t) });
  const target = new FakeRegistry('site.example').repository('app');

  const job = { source: upstream.repository('app'), reference: 'v1', target, tags: ['v1'] };
  const { totals } = await copyImages([job], { random: () => 0 }, testRun(t));

  assert.equal(totals.done, 1);
  assert.equal(upstream.count('open'), 0);
  assert.equal(await target.find(config.descriptor.digest, testRun(t)), config.bytes.length);
});

test('foreign layers are left out and reported', async (t) => {
  const foreign = {
    descriptor: {
      ...blobOf('windows').descriptor,
      mediaType: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
    },
    bytes: blobOf('windows').bytes,
  };
  const config = blobOf('{}');
  const upstream = new FakeRegistry('upstream.example');
  const image = manifestOf(config.descriptor, [foreign.descriptor]);
  await fill(
    upstream,
    'app',
    { ...image, blobs: [config, foreign] },
    { tag: 'v1', run: testRun(t) },
  );
  const target = new FakeRegistry('site.example').repository('app');
  const job = { source: upstream.repository('app'), reference: 'v1', target, tags: ['v1'] };

  const { images, totals } = await copyImages([job], { random: () => 0 }, testRun(t));

  assert.deepEqual(
    images[0]?.foreignLayers.map(({ digest }) => digest),
    [foreign.descriptor.digest],
  );
  assert.equal(totals.copied.blobs, 1);
});

test('a withdrawn artifact manifest is copied with its blobs', async (t) => {
  const blob = blobOf('wasm');
  const mediaType = MediaTypes.ociArtifactManifest;
  const manifest = blobOf(JSON.stringify({ mediaType, blobs: [blob.descriptor] }), mediaType);
  const upstream = new FakeRegistry('upstream.example');
  await fill(upstream, 'app', { ...manifest, blobs: [blob] }, { tag: 'v1', run: testRun(t) });
  const target = new FakeRegistry('site.example').repository('app');

  const job = { source: upstream.repository('app'), reference: 'v1', target, tags: ['v1'] };
  const { totals } = await copyImages([job], { random: () => 0 }, testRun(t));

  assert.equal(totals.copied.blobs, 1);
  assert.equal((await target.fetchManifest('v1', testRun(t))).descriptor.mediaType, mediaType);
});

test('an index that lists layers, as BuildKit writes its cache, is copied with them', async (t) => {
  const cached = blobOf('layer bytes');
  const config = blobOf('{}', 'application/vnd.buildkit.cacheconfig.v0');
  const index = indexOf([cached.descriptor, config.descriptor]);
  const upstream = new FakeRegistry('upstream.example');
  await fill(
    upstream,
    'app',
    { ...index, blobs: [cached, config] },
    { tag: 'v1', run: testRun(t) },
  );
  const target = new FakeRegistry('site.example').repository('app');

  const job = { source: upstream.repository('app'), reference: 'v1', target, tags: ['v1'] };
  const { totals } = await copyImages([job], { random: () => 0 }, testRun(t));

  assert.deepEqual([totals.done, totals.copied.blobs], [1, 2]);
});

test('a subject that the target lacks is no obstacle and is not copied unasked', async (t) => {
  const layers = [{ mediaType: 'text/plain', bytes: Buffer.from('sig') }];
  const artifactType = 'application/vnd.example.note';
  const signature = buildArtifact({ artifactType, layers, subject: amd64.descriptor });
  const upstream = new FakeRegistry('upstream.example');
  await fill(upstream, 'app', signature, { tag: 'sig', run: testRun(t) });
  const target = new FakeRegistry('site.example').repository('app');

  const job = { source: upstream.repository('app'), reference: 'sig', target, tags: ['sig'] };
  const { totals } = await copyImages([job], { random: () => 0 }, testRun(t));

  assert.equal(totals.done, 1);
  assert.equal(await target.findManifest(amd64.descriptor.digest, testRun(t)), undefined);
});
