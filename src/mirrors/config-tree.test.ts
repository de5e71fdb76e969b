import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
import { type ContractFiles, configTreeContract } from './config-tree.contract.ts';
import { directoryTree } from './directory-tree.ts';
import { memoryTree } from './memory-tree.ts';

async function writeTree(t: TestContext, files: ContractFiles): Promise<string> {
  const root = await tempDir(t);
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path);
    await mkdir(path.endsWith('/') ? place : dirname(place), { recursive: true });
    if (!path.endsWith('/')) await writeFile(place, content);
  }
  return root;
}

configTreeContract('memory tree', async (files) => memoryTree(files));
configTreeContract('directory tree', async (files, t) => directoryTree(await writeTree(t, files)));

test('an absolute link starts at the root of the node, not of this machine', async (t) => {
  const root = await writeTree(t, { '/data/certs/x.toml': 'of the node', '/etc/': '' });
  await symlink('/data/certs', join(root, 'etc/certs'));

  const entry = await directoryTree(root).read('/etc/certs/x.toml');

  assert.equal(entry.kind === 'file' && Buffer.from(entry.bytes).toString(), 'of the node');
  assert.deepEqual(await directoryTree(root).list('/etc'), [{ name: 'certs', isFolder: true }]);
});

test('a link with many dots does not leave the root', async (t) => {
  const root = await writeTree(t, { '/etc/': '' });
  await symlink('../../../../../../../../../../etc/passwd', join(root, 'etc/out'));
  const tree = directoryTree(root);

  assert.deepEqual(await tree.read('/etc/out'), { kind: 'missing' });
  assert.deepEqual(await tree.read('/../../../../../../../../../../etc/passwd'), {
    kind: 'missing',
  });
});

test('links in a circle are unreadable, and do not hang', async (t) => {
  const root = await writeTree(t, { '/etc/': '' });
  await symlink('b', join(root, 'etc/a'));
  await symlink('a', join(root, 'etc/b'));

  assert.deepEqual(await directoryTree(root).read('/etc/a'), {
    kind: 'unreadable',
    reason: 'too many levels of symbolic links',
  });
});
