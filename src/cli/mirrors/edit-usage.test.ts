import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const node = ['--root', 'node'];
const runtime = ['--runtime', 'containerd@2.1.1'];

async function place(t: TestContext): Promise<string> {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'node'));
  return folder;
}

const add = (folder: string, ...words: string[]) =>
  runCli(folder, 'mirrors', 'add', ...words, ...node);
const remove = (folder: string, ...words: string[]) =>
  runCli(folder, 'mirrors', 'remove', ...words, ...node);
const unwrapped = (text: string) => text.replaceAll(/\s+/g, ' ');

test('a registry beside --all removes nothing, and every command to paste is about the same node', async (t) => {
  const folder = await place(t);
  await add(folder, 'docker.io', '--to', 'a.example', ...runtime);
  const before = await nodeFingerprint(join(folder, 'node'), true);

  const both = await remove(folder, 'docker.io', '--all');
  const typo = await remove(folder, 'quay.oi');
  const after = await nodeFingerprint(join(folder, 'node'), true);
  const undo = ['mirrors', 'apply', '--undo', ...node];
  await runCli(folder, ...undo);
  const again = await runCli(folder, ...undo);

  assert.deepEqual([both.exitCode, typo.exitCode, again.exitCode], [64, 64, 64]);
  assert.deepEqual(after, before);
  for (const { stderr } of [typo, again]) {
    assert.match(unwrapped(stderr), /slipway mirrors remove --all --root \S+\/node\b/);
  }
});

test('what must be restarted on a node elsewhere is not said of this machine', async (t) => {
  const folder = await place(t);

  const { stdout } = await add(folder, 'docker.io', '--to', 'a.example', ...runtime);

  assert.match(stdout, /^on the node, now: systemctl restart containerd/m);
});

test('add advises no option that it does not have', async (t) => {
  const { stderr } = await add(await place(t), 'docker.io', '--to', 'a.example');

  assert.match(stderr, /--runtime NAME@VERSION/);
  assert.doesNotMatch(stderr, /--cluster/);
});

const asked = {
  add: ['docker.io', '--to', 'a.example'],
  remove: ['--all'],
  lint: [],
  explain: ['nginx'],
  apply: ['--undo'],
};
for (const [command, words] of Object.entries(asked)) {
  test(`mirrors ${command} takes a mistyped runtime as a fault of the command line`, async (t) => {
    const folder = await place(t);

    for (const typed of ['crio', 'docker2', 'containerd@9', 'talos@1.12']) {
      const line = ['mirrors', command, ...words, ...node, '--runtime', typed];
      const { exitCode, stderr } = await runCli(folder, ...line);

      assert.equal(exitCode, 64, stderr);
      assert.match(unwrapped(stderr), /RUNTIME_ID_INVALID.*take the name alone/);
    }
  });
}
