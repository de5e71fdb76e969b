import assert from 'node:assert/strict';
import test from 'node:test';
import { oddDocuments } from '../../../test/support/odd-documents.ts';
import { parseManifest } from '../manifest.ts';
import { MediaTypes } from '../media-types.ts';
import { readGoContent, readGoImage, runtimeKind } from './image-documents.ts';
import { GoJsonError } from './tree.ts';

for (const { name, kind, bytes, isRead } of oddDocuments) {
  test(`${name} is ${isRead ? 'read' : 'refused'}, as containerd does it`, () => {
    const read = () => (kind === 'config' ? readGoImage(bytes) : readGoContent(bytes, kind));

    if (isRead) read();
    else assert.throws(read, GoJsonError);
  });
}

const layer = (letter: string) =>
  `{"mediaType":"${MediaTypes.ociLayer}","digest":"sha256:${letter.repeat(64)}","size":5}`;

/** The first letters of the layers that Go reads. */
function layersOf(text: string): string[] {
  const content = readGoContent(Buffer.from(text), 'manifest');
  if (content.kind !== 'manifest') throw new Error('asked for a manifest');
  return content.layers.map(({ digest, size }) => `${digest.slice(7, 8)}${size}`);
}

test('a field in any letter case is the same field, and the last one wins', () => {
  assert.deepEqual(layersOf(`{"layers":[${layer('a')}],"layer\u017f":[${layer('b')}]}`), ['b5']);
  assert.deepEqual(layersOf(`{"Layers":[${layer('a')}],"layers":[]}`), []);
});

test('a list that is written twice is merged element by element', () => {
  const text = `{"layers":[${layer('a')},${layer('b')}],"layers":[{"size":7}]}`;

  assert.deepEqual(layersOf(text), ['a7']);
});

test('what runtimes read otherwise is no manifest for us either', () => {
  const ambiguous = [
    `{"schemaVersion":2,"config":${layer('a')},"layers":[${layer('b').replace('}', ',"Size":6}')}]}`,
    `{"schemaVersion":2,"config":${layer('a')},"layers":[${layer('b').replace('}', ',"DIGEST":"sha256:c"}')}]}`,
    `\ufeff{"schemaVersion":2,"config":${layer('a')},"layers":[${layer('b')}]}`,
  ];

  for (const text of ambiguous) {
    const read = () => parseManifest(Buffer.from(text), MediaTypes.ociManifest);
    assert.throws(read, { code: 'MANIFEST_INVALID' }, text);
  }
});

test('only images and indexes of OCI and Docker are pulled as such', () => {
  const kinds = Object.values(MediaTypes).map((type) => [type, runtimeKind(type)]);

  assert.deepEqual(
    kinds.filter(([, kind]) => kind !== undefined),
    [
      [MediaTypes.ociIndex, 'index'],
      [MediaTypes.ociManifest, 'manifest'],
      [MediaTypes.dockerList, 'index'],
      [MediaTypes.dockerManifest, 'manifest'],
    ],
  );
});
