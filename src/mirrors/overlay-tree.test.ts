import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from './memory-tree.ts';
import { overlayTree } from './overlay-tree.ts';

const tree = memoryTree({
  '/certs.d/a/hosts.toml': 'x',
  '/certs.d/a/ca.pem': 'y',
  '/certs.d/b/': '',
});

async function namesIn(path: string, changes: ReadonlyMap<string, string | undefined>) {
  return (await overlayTree(tree, changes).list(path)).map(({ name }) => name);
}

test('a folder that a change empties is in no list any more, one that was empty before is', async () => {
  const all = new Map([
    ['/certs.d/a/hosts.toml', undefined],
    ['/certs.d/a/ca.pem', undefined],
  ]);

  assert.deepEqual(await namesIn('/certs.d', all), ['b']);
  assert.deepEqual(await overlayTree(tree, all).read('/certs.d/a'), { kind: 'missing' });
});

test('a folder from which one of several files is removed stays', async () => {
  const one = new Map([['/certs.d/a/hosts.toml', undefined]]);

  assert.deepEqual(await namesIn('/certs.d', one), ['a', 'b']);
  assert.deepEqual(await namesIn('/certs.d/a', one), ['ca.pem']);
});

test('a folder that moves is listed under its new name only', async () => {
  const moved = new Map([
    ['/certs.d/a/hosts.toml', undefined],
    ['/certs.d/a/ca.pem', undefined],
    ['/certs.d/c/hosts.toml', 'x'],
  ]);

  assert.deepEqual(await namesIn('/certs.d', moved), ['b', 'c']);
});

test('a change to thousands of files is looked through once, however often folders are listed', async () => {
  let looks = 0;
  class Counted extends Map<string, string | undefined> {
    override [Symbol.iterator]() {
      looks += 1;
      return super[Symbol.iterator]();
    }
    override keys() {
      looks += 1;
      return super.keys();
    }
  }
  const tree = overlayTree(memoryTree({}), new Counted([['/etc/one/hosts.toml', 'server = "x"']]));
  for (const path of ['/', '/etc', '/etc/one', '/etc/none']) {
    await tree.list(path);
    await tree.read(path);
  }

  assert.equal(looks, 1);
});
