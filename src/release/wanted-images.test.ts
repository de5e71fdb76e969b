import assert from 'node:assert/strict';
import test from 'node:test';
import { readDocuments } from '../documents/read-documents.ts';
import { formatReference } from '../oci/reference.ts';
import { releaseKind } from './check-release.ts';
import { loadMatrix } from './matrix.ts';
import { type WantedImage, wantedImages } from './wanted-images.ts';

const matrix = await loadMatrix();

function wanted(components: string): readonly WantedImage[] {
  const text = `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: a, version: 1.0.0}
spec:
  kubernetes: v1.28.8
  platforms: [linux/amd64, linux/arm64]
  components:
${components}`;
  const [release] = readDocuments(text, 'r.yaml', [releaseKind(matrix)]);
  return wantedImages(release ?? assert.fail('no Release'), matrix);
}

test('matrix and list give one image per name, with every reason and its place', () => {
  const images = wanted(`    - {name: kubernetes, from: matrix, licence: Apache-2.0}
    - name: tools
      images: [registry.k8s.io/pause:3.9, nginx:1]
`);

  assert.equal(images.length, 8);
  assert.deepEqual(images.find((image) => image.name === 'registry.k8s.io/pause:3.9')?.reasons, [
    {
      component: 'kubernetes',
      because: 'Kubernetes v1.28.8 needs it: the sandbox of every pod',
      ...{ file: 'r.yaml', line: 8, column: 32 },
    },
    { component: 'tools', because: 'listed in images', file: 'r.yaml', line: 10, column: 16 },
  ]);
  assert.equal(images.at(-1)?.name, 'docker.io/library/nginx:1');
});

test('an image of a feature and of the rest belongs to the rest', () => {
  const [one, two] = wanted(`    - {name: a, feature: console, images: [a:1, b:1]}
    - {name: b, images: [a:1]}
`);

  assert.equal(one?.feature, undefined);
  assert.equal(two?.feature, 'console');
});

test('platforms of several mentions add up, and none means all', () => {
  const [one, two] = wanted(`    - name: a
      images: [{ref: "a:1", platforms: [linux/amd64]}, {ref: "b:1", platforms: [linux/amd64]}]
    - {name: b, images: [{ref: "a:1", platforms: [linux/arm64]}, b:1]}
`);

  assert.deepEqual(one?.platforms, ['linux/amd64', 'linux/arm64']);
  assert.equal(two?.platforms, undefined);
});

test('a tag with and without its digest is one image: the digest is meant, the tag asked for', () => {
  const pinned = `registry.k8s.io/pause:3.9@sha256:${'a'.repeat(64)}`;

  const [one, ...others] = wanted(`    - {name: a, images: ["registry.k8s.io/pause:3.9"]}
    - {name: b, images: ["${pinned}"]}
`);

  assert.deepEqual(others, []);
  assert.equal(one?.name, 'registry.k8s.io/pause:3.9');
  assert.equal(formatReference(one.reference), pinned);
  assert.deepEqual(
    one.reasons.map(({ component }) => component),
    ['a', 'b'],
  );
});

test('a name that is only asked for with its digest keeps it', () => {
  const pinned = `registry.k8s.io/pause:3.9@sha256:${'a'.repeat(64)}`;

  const [one] = wanted(`    - {name: a, images: ["${pinned}"]}
    - {name: b, images: ["${pinned}"]}
`);

  assert.equal(one?.name, pinned);
});

test('the licence of an image wins over that of its component', () => {
  const [one, two] =
    wanted(`    - {name: a, licence: MIT, class: self-built, images: [{ref: "a:1", licence: Apache-2.0}, b:1]}
`);

  assert.deepEqual([one?.licence, two?.licence, one?.class], ['Apache-2.0', 'MIT', 'self-built']);
});
