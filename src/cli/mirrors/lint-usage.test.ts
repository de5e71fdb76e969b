import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const lint = ['mirrors', 'lint', 'registries.yaml'];

async function folderWithRegistries(t: TestContext) {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'registries.yaml'), 'mirrors: {}\n');
  return folder;
}

test('a file of another runtime than the one that was named is called what it is', async (t) => {
  const folder = await folderWithRegistries(t);

  const { exitCode, stderr } = await runCli(folder, ...lint, '--runtime', 'containerd');

  assert.equal(exitCode, 64);
  assert.match(stderr, /^nothing to check in registries\.yaml: .*of k3s and rke2/);
  assert.match(stderr, /--runtime k3s, or without --runtime/);
});

test('a runtime that does not exist is a fault of the command line', async (t) => {
  const folder = await folderWithRegistries(t);

  const { exitCode, stderr } = await runCli(folder, ...lint, '--runtime=k3');

  assert.equal(exitCode, 64);
  assert.match(stderr, /did you mean "k3s"\?/);
});

for (const about of [[], ['--runtime', 'containerd']]) {
  test(`--format json is --json, ${about.length === 0 ? 'for findings' : 'for a failure'}`, async (t) => {
    const folder = await folderWithRegistries(t);

    const byFormat = await runCli(folder, ...lint, ...about, '--format', 'json');
    const byFlag = await runCli(folder, ...lint, ...about, '--json');

    assert.deepEqual(byFormat, byFlag);
    assert.match(byFlag.stdout, /^\{/);
  });
}

test('a mistyped format is answered with the nearest one', async (t) => {
  const { exitCode, stderr } = await runCli(await tempDir(t), ...lint, '--format', 'jsn');

  assert.equal(exitCode, 64);
  assert.match(stderr, /did you mean "json"\?/);
});
