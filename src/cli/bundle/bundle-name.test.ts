import assert from 'node:assert/strict';
import test from 'node:test';
import { bundleNameFor } from './bundle-name.ts';

test('a bundle is named as its Lock is, in this folder', () => {
  const names = ['shop.lock.yaml', 'locks/my shop.lock.yml', 'other.lock', 'x.json', 'plain', '-'];

  assert.deepEqual(
    names.map((name) => bundleNameFor(name, 'release')),
    ['shop.bundle', 'my shop.bundle', 'other.bundle', 'x.bundle', 'plain.bundle', 'release.bundle'],
  );
});
