import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { ConfigTree } from './config-tree.ts';

/** Files of a node: path → content; a path that ends in `/` is an empty folder. */
export type ContractFiles = Readonly<Record<string, string>>;

/** What every tree of a node's files does; `open` makes one that holds exactly these files. */
export function configTreeContract(
  name: string,
  open: (files: ContractFiles, t: TestContext) => Promise<ConfigTree>,
): void {
  const files = { '/etc/b/config.toml': 'a = 1', '/etc/a': 'x', '/etc/empty/': '' };

  test(`${name}: a file is read with its bytes`, async (t) => {
    const entry = await (await open(files, t)).read('/etc/b/config.toml');

    assert.equal(entry.kind === 'file' && Buffer.from(entry.bytes).toString(), 'a = 1');
  });

  test(`${name}: folders, missing paths and paths below a file are told apart`, async (t) => {
    const tree = await open(files, t);

    assert.deepEqual(await tree.read('/etc/empty'), { kind: 'folder' });
    assert.deepEqual(await tree.read('/etc/nothing'), { kind: 'missing' });
    assert.deepEqual(await tree.read('/etc/a/b'), {
      kind: 'unreadable',
      reason: 'not a directory',
    });
  });

  test(`${name}: a folder lists its names in byte order`, async (t) => {
    const tree = await open(files, t);

    assert.deepEqual(await tree.list('/etc'), [
      { name: 'a', isFolder: false },
      { name: 'b', isFolder: true },
      { name: 'empty', isFolder: true },
    ]);
    assert.deepEqual(await tree.list('/etc/nothing'), []);
    assert.deepEqual(await tree.list('/etc/a'), []);
  });

  test(`${name}: signs beyond the first plane of Unicode come last, as their bytes do`, async (t) => {
    const paths = ['/d/\u{1F600}.conf', '/d/\u{FF5E}.conf'];
    const tree = await open(Object.fromEntries(paths.map((path) => [path, ''])), t);

    const names = (await tree.list('/d')).map(({ name: file }) => file);

    assert.deepEqual(names, ['\u{FF5E}.conf', '\u{1F600}.conf']);
  });

  test(`${name}: doubled slashes, dots and a slash at the end change nothing`, async (t) => {
    const tree = await open(files, t);

    assert.equal((await tree.read('//etc/./b/config.toml')).kind, 'file');
    assert.equal((await tree.read('/etc/b/')).kind, 'folder');
  });
}
