import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { loadFileFacts } from '../../files/file-facts.ts';
import { gatherPath } from './gather-files.ts';

const gather = async (shown: string, real: string) =>
  gatherPath(shown, real, await loadFileFacts());

async function folderWith(t: TestContext, paths: readonly string[]): Promise<string> {
  const folder = await tempDir(t);
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), '');
  }
  return folder;
}

async function shownIn(typed: string, real: string): Promise<readonly string[]> {
  const { files } = await gather(typed, real);
  return files.map(({ shown }) => shown);
}

test('a folder gives what could be configuration, as the user began the path', async (t) => {
  const paths = ['certs.d/docker.io/hosts.toml', 'certs.d/ca.pem', 'readme.md', '.git/x.yaml'];
  const folder = await folderWith(t, paths);

  assert.deepEqual(await shownIn('.', folder), ['certs.d/ca.pem', 'certs.d/docker.io/hosts.toml']);
  assert.deepEqual(await shownIn('./x', folder), [
    ...['./x/certs.d/ca.pem', './x/certs.d/docker.io/hosts.toml'],
  ]);
});

test('a hosts.toml brings what lies beside it, another file comes alone', async (t) => {
  const folder = await folderWith(t, ['hosts.yaml', 'hosts.toml', 'ca.crt', 'daemon.json', 'x.md']);

  assert.deepEqual(await shownIn('hosts.yaml', join(folder, 'hosts.yaml')), [
    ...['hosts.yaml', 'ca.crt', 'hosts.toml'],
  ]);
  assert.deepEqual(await shownIn('daemon.json', join(folder, 'daemon.json')), ['daemon.json']);
});

test('links are followed, also those that lead back up or nowhere', async (t) => {
  const folder = await folderWith(t, ['certs.d/quay.io/hosts.toml']);
  await symlink('..', join(folder, 'certs.d/up'));
  await symlink('gone', join(folder, 'certs.d/gone.toml'));
  await symlink('quay.io', join(folder, 'certs.d/ghcr.io'));

  const found = await shownIn('certs.d', join(folder, 'certs.d'));

  assert.deepEqual(found, ['certs.d/ghcr.io/hosts.toml', 'certs.d/quay.io/hosts.toml']);
});

test('the root of a machine is no folder of configuration', async () => {
  await assert.rejects(gather('/', '/'), {
    code: 'MIRROR_LINT_TOO_LARGE',
    message: /\/ holds/,
  });
});

test('what is not there is named as it was typed', async (t) => {
  const folder = await tempDir(t);

  await assert.rejects(gather('x/gone', join(folder, 'gone')), {
    code: 'DOCUMENT_UNREADABLE',
    message: 'x/gone cannot be read',
  });
});
