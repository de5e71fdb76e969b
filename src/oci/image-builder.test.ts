import assert from 'node:assert/strict';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { buildArtifact } from '../../test/support/build-artifact.ts';
import { digestOf } from './digest.ts';
import { type BuiltBlob, buildChart, buildImage, buildIndex } from './image-builder.ts';
import { MediaTypes } from './media-types.ts';
import { tarLayer } from './tar-layer.ts';

const layer = tarLayer([{ path: 'bin/app', content: '#!/bin/sh\n', mode: 0o755 }]);
// The builder writes JSON objects only.
const json = (blob: BuiltBlob) =>
  JSON.parse(Buffer.from(blob.bytes).toString()) as Record<string, unknown>;

test('an image names its config and layers by digest and size', () => {
  const image = buildImage({ layers: [layer] });

  const [config, stored] = image.blobs;
  assert.deepEqual(json(image), {
    schemaVersion: 2,
    mediaType: MediaTypes.ociManifest,
    config: config?.descriptor,
    layers: [{ mediaType: MediaTypes.ociLayer, digest: digestOf(layer), size: layer.length }],
  });
  assert.deepEqual(stored?.bytes, layer);
  assert.equal(image.descriptor.digest, digestOf(image.bytes));
});

test('a gzipped layer keeps the digest of the archive in the config', () => {
  const image = buildImage({ layers: [layer], gzip: true, flavour: 'docker' });

  const [config, stored] = image.blobs;
  assert.ok(config && stored);
  assert.equal(stored.descriptor.mediaType, MediaTypes.dockerLayerGzip);
  assert.deepEqual(gunzipSync(stored.bytes), Buffer.from(layer));
  assert.deepEqual(json(config)['rootfs'], { type: 'layers', diff_ids: [digestOf(layer)] });
});

test('the same plan gives the same bytes', () => {
  const plan = { layers: [layer], gzip: true, annotations: { b: '1', a: '2' } };

  assert.deepEqual(buildImage(plan), buildImage({ ...plan, annotations: { a: '2', b: '1' } }));
});

test('an index lists its images with their platforms', () => {
  const arm = { os: 'linux', architecture: 'arm64' };
  const images = [buildImage({ layers: [layer] }), buildImage({ layers: [layer], platform: arm })];

  const index = buildIndex(images, { flavour: 'docker' });

  assert.equal(index.descriptor.mediaType, MediaTypes.dockerList);
  assert.deepEqual(
    json(index)['manifests'],
    images.map((image) => image.descriptor),
  );
  assert.deepEqual(images[1]?.descriptor.platform, arm);
});

test('an artefact about an image names it as its subject', () => {
  const subject = buildImage({ layers: [layer] }).descriptor;

  const artifact = buildArtifact({ artifactType: 'text/example', layers: [], subject });

  assert.deepEqual(json(artifact)['subject'], subject);
  assert.equal(json(artifact)['artifactType'], 'text/example');
  assert.equal(artifact.blobs[0]?.descriptor.mediaType, MediaTypes.ociEmpty);
});

test('a chart is an archive below its own name with a Chart.yaml', () => {
  const chart = buildChart({ name: 'web', version: '1.0.0' });

  const [config, archive] = chart.blobs;
  assert.ok(config && archive);
  assert.equal(config.descriptor.mediaType, MediaTypes.helmConfig);
  assert.equal(archive.descriptor.mediaType, MediaTypes.helmChart);
  const tar = gunzipSync(archive.bytes).toString();
  assert.match(tar, /^web\/Chart\.yaml\0/);
  assert.match(tar, /name: "web"\nversion: "1\.0\.0"\n/);
});
