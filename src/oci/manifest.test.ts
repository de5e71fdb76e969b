import assert from 'node:assert/strict';
import test from 'node:test';
import { buildImage, buildIndex } from './image-builder.ts';
import { maxManifestBytes, parseManifest } from './manifest.ts';
import { MediaTypes } from './media-types.ts';
import { tarLayer } from './tar-layer.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const config = { mediaType: MediaTypes.ociConfig, digest, size: 2 };
const image = { schemaVersion: 2, config, layers: [] };
const bytes = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

for (const flavour of ['oci', 'docker'] as const) {
  test(`an ${flavour} image and its index are told apart by their own type`, () => {
    const built = buildImage({ layers: [tarLayer([])], flavour });

    const manifest = parseManifest(built.bytes);
    const index = parseManifest(buildIndex([built], { flavour }).bytes);

    assert.equal(manifest.kind, 'image');
    assert.equal(manifest.mediaType, built.descriptor.mediaType);
    assert.ok(index.kind === 'index');
    assert.equal(index.content.manifests[0]?.digest, built.descriptor.digest);
  });
}

test('a manifest without a type takes the declared one, else that of its shape', () => {
  assert.equal(
    parseManifest(bytes(image), `${MediaTypes.dockerManifest}; charset=utf-8`).mediaType,
    MediaTypes.dockerManifest,
  );
  assert.equal(parseManifest(bytes(image), 'text/plain').mediaType, MediaTypes.ociManifest);
  const index = bytes({ schemaVersion: 2, manifests: null });
  assert.deepEqual(parseManifest(index).kind, 'index');
});

test('fields that Slipway does not know survive', () => {
  const manifest = parseManifest(bytes({ ...image, 'x-new': { a: 1 } }));

  assert.deepEqual(manifest.content['x-new'], { a: 1 });
});

test('an artifact manifest of OCI 1.1 drafts is read, also without blobs', () => {
  const manifest = parseManifest(
    bytes({ mediaType: MediaTypes.ociArtifactManifest, artifactType: 'text/x' }),
  );

  assert.ok(manifest.kind === 'artifact');
  assert.deepEqual(manifest.content.blobs, []);
});

test('a manifest of 4 MiB is read, one byte more is not', () => {
  const rest = { ...image, annotations: { pad: '' } };
  const pad = maxManifestBytes - bytes(rest).length;
  const fill = (length: number) => bytes({ ...rest, annotations: { pad: 'x'.repeat(length) } });

  assert.equal(parseManifest(fill(pad)).kind, 'image');
  assert.throws(() => parseManifest(fill(pad + 1)), {
    code: 'MANIFEST_TOO_LARGE',
    data: { sizeBytes: maxManifestBytes + 1, limitBytes: maxManifestBytes },
  });
});

const schema1 = { schemaVersion: 1, name: 'a', fsLayers: [] };
for (const [what, value, declared] of [
  ['by its version', schema1, undefined],
  ['by its declared type', { ...schema1, schemaVersion: 2 }, MediaTypes.dockerSchema1Signed],
  ['by its own type', { mediaType: MediaTypes.dockerSchema1 }, undefined],
] as const) {
  test(`schema 1 is recognised ${what}`, () => {
    assert.throws(() => parseManifest(bytes(value), declared), {
      code: 'MANIFEST_SCHEMA1_UNSUPPORTED',
      message: /no current runtime pulls/,
    });
  });
}

const index = { schemaVersion: 2, manifests: [] };
const refused: ReadonlyArray<[what: string, value: unknown, reason: RegExp, declared?: string]> = [
  ['an HTML page', '<!doctype html><title>Sign in</title>', /HTML/],
  ['nothing', '', /empty/],
  ['broken JSON', '{"schemaVersion":2', /not JSON/],
  ['a list', [], /not an object/],
  ['manifests beside layers', { ...image, ...index }, /manifests and layers/],
  ['manifests beside config', { ...index, config }, /manifests and config/],
  ['an index sent as an image', index, /does not belong/, MediaTypes.ociManifest],
  [
    'an image sent as an index',
    { ...image, mediaType: MediaTypes.ociManifest },
    /sent as/,
    MediaTypes.ociIndex,
  ],
  ['an unknown type', { ...image, mediaType: 'text/x' }, /text\/x is unknown/],
  ['no shape at all', { errors: [] }, /neither a known type/],
  [
    'an image without layers',
    { schemaVersion: 2, config },
    /layers is missing/,
    MediaTypes.ociManifest,
  ],
  ['a bad digest', { ...image, config: { ...config, digest: 'sha256:x' } }, /config\.digest/],
  ['a negative size', { ...image, config: { ...config, size: -1 } }, /config\.size/],
  ['a field written twice', '{"layers":[],"layers":[],"config":{}}', /layers is written twice/],
  ['a field twice in another case', '{"layers":[],"Layers":[],"config":{}}', /written twice/],
  ['a field twice, once escaped', '{"layers":[],"\\u006cayers":[],"config":{}}', /written twice/],
];
for (const [what, value, reason, declared] of refused) {
  test(`${what} is no manifest`, () => {
    assert.throws(() => parseManifest(bytes(value), declared), {
      code: 'MANIFEST_INVALID',
      message: reason,
    });
  });
}

test('bytes that are not UTF-8 are no manifest', () => {
  assert.throws(() => parseManifest(Buffer.from([0x7b, 0xff, 0x7d])), {
    code: 'MANIFEST_INVALID',
    message: /UTF-8/,
  });
});

test('a field may occur again further down and inside text', () => {
  const annotations = { config: '{"layers":1,"layers":2}', Config: '"' };

  assert.equal(parseManifest(bytes({ ...image, annotations })).kind, 'image');
});
