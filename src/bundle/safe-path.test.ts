import assert from 'node:assert/strict';
import test from 'node:test';
import { refuseUnsafePath } from './safe-path.ts';

for (const entry of [
  '',
  '/etc/passwd',
  'a//b',
  'a/',
  '.',
  './a',
  'a/./b',
  '..',
  '../a',
  'a/..',
  'a/../../b',
  'a\\b',
  'a\0b',
]) {
  test(`${JSON.stringify(entry)} does not stay inside the bundle`, () => {
    assert.throws(() => refuseUnsafePath('x.bundle', entry), {
      code: 'BUNDLE_PATH_UNSAFE',
      data: { path: 'x.bundle', entry },
    });
  });
}

for (const entry of ['a', 'a/b', '..a', 'a..', 'a/...', '.a/b']) {
  test(`${entry} stays inside the bundle`, () => {
    refuseUnsafePath('x.bundle', entry);
  });
}
