import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { whileLocked } from '../../mirrors/write/node-lock.ts';

const hosts =
  'server = "https://quay.io"\n\n[host."https://m.example"]\n  capabilities = ["pull", "resolve"]\n';

/** A folder with these files. */
async function folderWith(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await tempDir(t);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test('a node that has a runtime and no rules is no node with nothing wrong', async (t) => {
  const folder = await folderWith(t, { 'node/etc/rancher/k3s/config.yaml': 'debug: true\n' });

  const node = ['mirrors', 'lint', '--root', 'node', '--runtime', 'k3s@v1.31.13+k3s1'];
  const offline = await runCli(folder, ...node, '--offline');
  const online = await runCli(folder, ...node);

  assert.match(offline.stdout, /^1 file, 1 error: pulls leave the site\n/);
  assert.match(offline.stdout, /error S002\n.*\n {2}do {4}Write the rules with "slipway mirrors/);
  assert.deepEqual([offline.exitCode, online.exitCode], [1, 0]);
  assert.match(online.stdout, /^1 file, 1 note\n/);
});

test('--fix leaves a node alone while another run changes it', async (t) => {
  const path = 'node/etc/containerd/certs.d/quay.io/hosts.yaml';
  const folder = await folderWith(t, {
    [path]: hosts,
    'node/etc/containerd/config.toml': 'version = 2\n',
  });
  const fix = ['mirrors', 'lint', '--runtime', 'containerd@2.1.1', '--root', 'node', '--fix'];

  const busy = await whileLocked(join(folder, 'node'), () => runCli(folder, ...fix));
  const names = await readdir(join(folder, dirname(path)));
  const free = await runCli(folder, ...fix);

  assert.match(busy.stderr, /MIRROR_NODE_BUSY/);
  assert.deepEqual(names, ['hosts.yaml']);
  assert.match(free.stdout, /mended:/);
});

test('what is wrong without any file is counted without files, and called built in', async (t) => {
  const folder = await folderWith(t, { 'node/etc/containerd/certs.d/quay.io/readme': '' });

  const node = ['mirrors', 'lint', '--root', 'node', '--runtime', 'containerd@2.4.2'];
  const { stdout } = await runCli(folder, ...node);

  assert.match(stdout, /^2 errors: pulls go past the mirrors\n/);
  assert.match(stdout, /error C018\n {2}the built-in config_path "/);
});
