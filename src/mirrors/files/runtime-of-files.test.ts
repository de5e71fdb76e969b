import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { nodeWith } from '../../../test/support/mirror-node.ts';
import { runtimeOfFiles } from './runtime-of-files.ts';

const hosts = 'server = "https://m.example"\n[host]\n';

const cases: ReadonlyArray<readonly [file: string, text: string, asked: string, found?: string]> = [
  ['a/registries.yaml', 'mirrors: {}\n', 'a/registries.yaml', 'k3s'],
  ['a/certs.d/quay.io/hosts.toml', hosts, 'a', 'containerd'],
  ['a/registries.conf', '', 'a', 'cri-o'],
  ['a/daemon.json', '{}', 'a', 'docker'],
  ['a/etc/docker/daemon.json', '{}', 'a'],
  ['a/notes.txt', '', 'a'],
  // The folder tells more than the usual reader of such files.
  ['rke2/registries.yaml', 'mirrors: {}\n', 'rke2', 'rke2'],
  ['docker/certs.d/quay.io/hosts.toml', hosts, 'docker/certs.d', 'docker'],
];

for (const [file, text, asked, found] of cases) {
  test(`${asked} with ${file} is for ${found ?? 'no runtime that one could tell'}`, async (t) => {
    const folder = await nodeWith(t, { [`/${file}`]: text });

    assert.equal(await runtimeOfFiles(join(folder, asked)), found);
  });
}

test('links to folders are followed, as the folder of a registry often is one', async (t) => {
  const folder = await nodeWith(t, { '/real/hosts.toml': hosts, '/certs.d/notes.txt': '' });
  await symlink(join(folder, 'real'), join(folder, 'certs.d/quay.io'));

  assert.equal(await runtimeOfFiles(join(folder, 'certs.d')), 'containerd');
});
