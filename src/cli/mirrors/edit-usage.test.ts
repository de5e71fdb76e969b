import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
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

test('a folder of configuration that was given as a root is linted by leaving --root out', async (t) => {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'certs.d/docker.io'), { recursive: true });

  const { exitCode, stderr } = await runCli(folder, 'mirrors', 'lint', '--root', 'certs.d');

  assert.equal(exitCode, 64);
  assert.match(unwrapped(stderr), /leave --root out: slipway mirrors lint certs\.d/);
});

/** Root may do everything, so that the user nobody stands in for those who may not. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

for (const words of [
  ['remove', '--all'],
  ['apply', '--undo'],
]) {
  test(`mirrors ${words.join(' ')} names the missing permission`, async (t) => {
    const folder = await place(t);
    await add(folder, 'docker.io', '--to', 'a.example', ...runtime);
    const state = join(folder, 'node/var/lib/slipway');
    await chmod(folder, 0o755);
    await chmod(state, 0);

    const line = ['mirrors', ...words, ...node, ...runtime];
    const { exitCode, stderr } = await asNobody(() => runCli(folder, ...line));
    await chmod(state, 0o755);

    assert.equal(exitCode, 77, stderr);
    assert.match(unwrapped(stderr), /Run it as root, or as the user who may/);
    assert.doesNotMatch(stderr, /no folder|circle/);
  });
}

test('a second rule for one host of Talos says which option it lacks', async (t) => {
  const folder = await place(t);
  await writeFile(join(folder, 'ca.pem'), (await serverCertificate()).ca);
  const talos = ['--runtime', 'talos@1.12.0'];
  await add(folder, 'docker.io', '--to', 'a.example', '--ca', 'ca.pem', ...talos);

  const { exitCode, stderr } = await add(folder, 'quay.io', '--to', 'a.example');
  const whole = await add(folder, 'quay.io', '--to', 'a.example', '--ca', 'ca.pem');

  assert.deepEqual([exitCode, whole.exitCode], [78, 0], whole.stderr);
  assert.match(unwrapped(stderr), /such as Talos, needs the same --ca/);
});
