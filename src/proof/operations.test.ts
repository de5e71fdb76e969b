import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { digestOf } from '../oci/digest.ts';
import type { Lock } from '../release/lock.ts';
import { type Operation, operationsFor } from './operations.ts';
import { byRepository, type RequiredImage, requiredImages } from './required-images.ts';

const { lock } = sampleLock();
const [app, pause] = requiredImages(lock, undefined);
assert.ok(app !== undefined && pause !== undefined);

/** `resolve :v1`, `manifest index`, `blob layer`. */
function shown(operation: Operation): string {
  if (operation.kind !== 'resolve') return `${operation.kind} ${operation.what}`;
  const { tag, digest } = operation.reference;
  return `resolve ${tag === undefined ? `by digest of the ${operation.what}` : `:${tag}`} ${digest === undefined ? '' : '@'}`.trim();
}

function plan(image: RequiredImage): string[] {
  const [platform] = image.platforms;
  assert.ok(platform !== undefined);
  const { inOrder, blobs } = operationsFor(image, platform, new Map());
  return [...inOrder, ...blobs].map(shown);
}

test('an image behind an index: by tag, by digest, index, manifest, config and layers', () => {
  assert.deepEqual(plan(app), [
    'resolve :v1',
    'resolve by digest of the target @',
    'manifest index',
    'manifest manifest',
    'resolve by digest of the manifest @',
    'blob config',
    'blob layer',
    'blob layer',
  ]);
});

test('an image without an index has one manifest, asked for once', () => {
  assert.deepEqual(plan(pause), [
    'resolve :3.9',
    'resolve by digest of the target @',
    'manifest manifest',
    'blob config',
    'blob layer',
    'blob layer',
  ]);
});

test('an image named by digest is never asked for by a tag', () => {
  const name = `registry.k8s.io/pause:3.9@${pause.locked.target.digest}`;
  const byDigest = { ...lock, spec: { ...lock.spec, images: [{ ...pause.locked, name }] } };
  const [image] = requiredImages(byDigest, undefined);
  assert.ok(image !== undefined);

  assert.deepEqual(plan(image).slice(0, 2), [
    'resolve by digest of the target @',
    'manifest manifest',
  ]);
});

test('a rewritten index is asked for by its new digest, its size unknown', () => {
  const [platform] = app.platforms;
  assert.ok(platform !== undefined);
  const now = digestOf('rewritten');

  const { inOrder } = operationsFor(app, platform, new Map([[app.locked.target.digest, now]]));

  const [first, , index] = inOrder;
  assert.equal(first?.kind === 'resolve' && first.want, now);
  assert.equal(index?.kind === 'manifest' && index.hasSize, false);
});

test('ten thousand images are grouped in a moment, by repository and in order', () => {
  const images = Array.from({ length: 10_000 }, (_, index) => ({
    ...pause.locked,
    name: `registry.example/team/app-${index % 2500}:v${index}`,
  }));
  const large: Lock = { ...lock, spec: { ...lock.spec, images } };

  const groups = byRepository(requiredImages(large, ['linux/amd64']));

  assert.equal(groups.length, 2500);
  assert.deepEqual(
    groups[0]?.images.map(({ name }) => name),
    ['v0', 'v2500', 'v5000', 'v7500'].map((tag) => `registry.example/team/app-0:${tag}`),
  );
});
