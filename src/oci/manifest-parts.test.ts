import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { buildArtifact } from '../../test/support/build-artifact.ts';
import { digestOf } from './digest.ts';
import { buildChart, buildImage, buildIndex } from './image-builder.ts';
import { parseManifest } from './manifest.ts';
import { artifactTypeOf, inlineData, isForeignLayer, partsOf } from './manifest-parts.ts';
import { MediaTypes } from './media-types.ts';
import { tarLayer } from './tar-layer.ts';

const image = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });
const layerOf = (mediaType: string) => ({ mediaType, digest: digestOf(''), size: 0 });

test('an image names its config, its layers and its subject, in this order', () => {
  const built = buildArtifact({
    artifactType: 'text/x',
    layers: [{ mediaType: 'text/plain', bytes: Buffer.from('hi') }],
    subject: image.descriptor,
  });

  const parts = partsOf(parseManifest(built.bytes));

  assert.deepEqual(
    parts.map(({ role, descriptor }) => [role, descriptor.digest]),
    [
      ['config', built.blobs[0]?.descriptor.digest],
      ['layer', built.blobs[1]?.descriptor.digest],
      ['subject', image.descriptor.digest],
    ],
  );
});

test('an index names its manifests', () => {
  const parts = partsOf(parseManifest(buildIndex([image]).bytes));

  assert.deepEqual(parts, [{ role: 'manifest', descriptor: image.descriptor }]);
});

test('blobs of an artifact manifest and foreign layers are told apart', () => {
  const foreign = layerOf('application/vnd.docker.image.rootfs.foreign.diff.tar.gzip');
  const blobs = [layerOf('text/plain'), foreign];
  const mediaType = MediaTypes.ociArtifactManifest;

  const parts = partsOf(parseManifest(Buffer.from(JSON.stringify({ mediaType, blobs }))));

  assert.deepEqual(
    parts.map((part) => part.role),
    ['layer', 'foreign-layer'],
  );
});

for (const suffix of ['', '+gzip', '+zstd']) {
  test(`a non-distributable OCI layer ${suffix} is foreign, an ordinary one with urls is not`, () => {
    const stem = 'application/vnd.oci.image.layer';

    assert.equal(isForeignLayer(layerOf(`${stem}.nondistributable.v1.tar${suffix}`)), true);
    const urls = ['https://example.com/layer'];
    assert.equal(isForeignLayer({ ...layerOf(`${stem}.v1.tar${suffix}`), urls }), false);
  });
}

test('embedded content comes back as the bytes that were embedded', () => {
  const algorithms = fc.constantFrom('sha256' as const, 'sha512' as const);
  fc.assert(
    fc.property(fc.uint8Array(), algorithms, (bytes, algorithm) => {
      const digest = digestOf(bytes, algorithm);
      const data = Buffer.from(bytes).toString('base64');

      const inline = inlineData({ mediaType: 'text/x', digest, size: bytes.length, data });

      assert.deepEqual(Buffer.from(inline ?? []), Buffer.from(bytes));
    }),
    { numRuns: 50 },
  );
});

const hello = { mediaType: 'text/x', digest: digestOf('hello'), size: 5 };
for (const [what, data, reason] of [
  ['of another size', Buffer.from('hell').toString('base64'), /4 bytes, 5/],
  ['of another digest', Buffer.from('hellO').toString('base64'), /its digest is sha256/],
  ['that is not base64', 'aGVsbG8', /base64/],
] as const) {
  test(`embedded content ${what} is refused`, () => {
    assert.throws(() => inlineData({ ...hello, data }), {
      code: 'DESCRIPTOR_DATA_INVALID',
      message: reason,
    });
  });
}

test('a descriptor without data has no embedded content', () => {
  assert.equal(inlineData(hello), undefined);
});

test('the artifact type is stated, else that of the config, else unknown', () => {
  const chart = buildChart({ name: 'a', version: '1.0.0' });
  const signed = buildArtifact({ artifactType: 'text/x', layers: [] });

  assert.equal(artifactTypeOf(parseManifest(signed.bytes)), 'text/x');
  assert.equal(artifactTypeOf(parseManifest(chart.bytes)), MediaTypes.helmConfig);
  assert.equal(artifactTypeOf(parseManifest(buildIndex([image]).bytes)), undefined);
});

test('a manifest whose embedded content is not what its digest names is refused', () => {
  const good = buildArtifact({
    artifactType: 'text/x',
    layers: [{ mediaType: 'text/x', bytes: Buffer.from('hello') }],
  });
  const text = Buffer.from(good.bytes).toString();
  const withData = (data: string) =>
    Buffer.from(text.replace(`"size":5`, `"size":5,"data":"${data}"`));

  assert.throws(() => parseManifest(withData('aGVsbE8=')), { code: 'DESCRIPTOR_DATA_INVALID' });
  assert.equal(parseManifest(withData('aGVsbG8=')).kind, 'image');
});
