import assert from 'node:assert/strict';
import test from 'node:test';
import { buildArtifact } from '../../test/support/build-artifact.ts';
import { digestOf } from './digest.ts';
import { buildImage } from './image-builder.ts';
import { parseManifest } from './manifest.ts';
import { referrerDescriptor, referrersIndex, referrersTag } from './referrers.ts';

test('the referrers tag of a sha512 digest is cut so that it stays a tag', () => {
  const hex = '0123456789abcdef'.repeat(8);

  assert.equal(referrersTag(`sha512:${hex}`), `sha512-${hex.slice(0, 64)}`);
  assert.equal(referrersTag(digestOf('')), digestOf('').replace(':', '-'));
});

test('a referrer is listed with its artifact type and annotations', () => {
  const subject = buildImage({ layers: [] }).descriptor;
  const annotations = { note: 'signed' };
  const built = buildArtifact({ artifactType: 'text/x', layers: [], subject, annotations });

  const entry = referrerDescriptor(parseManifest(built.bytes), built.descriptor);

  assert.deepEqual(entry, { ...built.descriptor, annotations });
});

test('an index of referrers holds each digest once and may be empty', () => {
  const { descriptor } = buildArtifact({ artifactType: 'text/x', layers: [] });

  const index = parseManifest(referrersIndex([descriptor, descriptor]).bytes);
  const empty = parseManifest(referrersIndex([]).bytes);

  assert.deepEqual(index.content['manifests'], [descriptor]);
  assert.deepEqual(empty.content['manifests'], []);
});
