import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { tempDir } from '../../test/support/temp-dir.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { digestOf } from '../oci/digest.ts';
import { MediaTypes } from '../oci/media-types.ts';
import {
  LayoutIndex,
  parseLayoutIndex,
  readLayoutIndex,
  writeLayoutIndex,
} from './layout-index.ts';

test('the same images give the same bytes in whatever order they were entered', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}:[a-z0-9.]{1,4}$/), { minLength: 1 });
  const orders = names.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );

  fc.assert(
    fc.property(orders, ([one, other]) => {
      assert.equal(indexOf(one).toJson(), indexOf(other).toJson());
    }),
    { numRuns: 50 },
  );
});

test('what is written can be read again, with names, images without one, and foreign fields', async (t) => {
  const root = await tempDir(t);
  const index = indexOf(['registry.k8s.io/pause:3.9']);
  index.add({ ...descriptorOf('untagged'), 'x-vendor': { kept: true } });

  await writeLayoutIndex(root, index);
  const again = await readLayoutIndex(root);

  assert.equal(again.toJson(), index.toJson());
  assert.deepEqual(again.names(), ['registry.k8s.io/pause:3.9']);
  assert.deepEqual(again.roots()[1]?.['x-vendor'], { kept: true });
  assert.deepEqual(await readdir(root), ['index.json']);
});

test('the file is an image index that other tools can read', async (t) => {
  const root = await tempDir(t);

  await writeLayoutIndex(root, indexOf(['pause:3.9']));

  const { digest, size } = descriptorOf('pause:3.9');
  assert.deepEqual(JSON.parse(await readFile(join(root, 'index.json'), 'utf8')), {
    schemaVersion: 2,
    mediaType: MediaTypes.ociIndex,
    manifests: [
      {
        mediaType: MediaTypes.ociManifest,
        digest,
        size,
        annotations: { 'org.opencontainers.image.ref.name': 'pause:3.9' },
      },
    ],
  });
});

test('a missing index.json is an empty one', async (t) => {
  const index = await readLayoutIndex(await tempDir(t));

  assert.deepEqual(index.roots(), []);
});

test('setting a name tells what had it before, and removing takes it away', () => {
  const index = indexOf(['app:v1']);

  const before = index.set('app:v1', descriptorOf('newer'));
  const moved = index.get('app:v1')?.digest;
  index.remove('app:v1');

  assert.equal(before?.digest, descriptorOf('app:v1').digest);
  assert.equal(moved, descriptorOf('newer').digest);
  assert.equal(index.get('app:v1'), undefined);
});

const entry = (name: string, content: string) => ({
  ...descriptorOf(content),
  annotations: { 'org.opencontainers.image.ref.name': name },
});

for (const [what, text, reason] of [
  ['no JSON', '{"manifests":', /is not JSON/],
  ['no list', '{"schemaVersion":2}', /no list of manifests/],
  ['a list alone', '[]', /no list of manifests/],
  [
    'a bad digest',
    '{"manifests":[{"mediaType":"a","digest":"md5:1","size":1}]}',
    /manifests\.0\.digest/,
  ],
  [
    'one name for two images',
    JSON.stringify({ manifests: [entry('app:v1', 'a'), entry('app:v1', 'b')] }),
    /two images have the name app:v1/,
  ],
] as const) {
  test(`an index.json with ${what} is refused with the file and the place`, async (t) => {
    const root = await tempDir(t);
    await writeFile(join(root, 'index.json'), text);

    await assert.rejects(readLayoutIndex(root), { code: 'LAYOUT_INVALID', message: reason });
    assert.throws(() => parseLayoutIndex(text, 'index.json'), { code: 'LAYOUT_INVALID' });
  });
}

function descriptorOf(content: string): Descriptor {
  return { mediaType: MediaTypes.ociManifest, digest: digestOf(content), size: content.length };
}

function indexOf(names: readonly string[]): LayoutIndex {
  const index = new LayoutIndex();
  for (const name of names) index.set(name, descriptorOf(name));
  return index;
}
