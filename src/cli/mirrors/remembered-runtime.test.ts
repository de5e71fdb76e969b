import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const node = ['--root', 'node'];

/** A folder with a node for which one rule was added. */
async function written(t: TestContext, runtime: string): Promise<string> {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'node'));
  const words = ['mirrors', 'add', 'docker.io', '--to', 'a.example', '--runtime', runtime];
  const { exitCode, stderr } = await runCli(folder, ...words, ...node);
  assert.equal(exitCode, 0, stderr);
  return folder;
}

for (const runtime of ['containerd@2.1.1', 'talos@1.12.0', 'docker@29.0.0', 'podman@5.2.0']) {
  test(`lint and explain take a node for ${runtime} that was written for it`, async (t) => {
    const folder = await written(t, runtime);
    const note = `node is taken for ${runtime}, which Slipway wrote for last; --runtime says otherwise`;

    const lint = await runCli(folder, 'mirrors', 'lint', ...node);
    const quiet = await runCli(folder, 'mirrors', 'lint', ...node, '--quiet');
    const explain = await runCli(folder, 'mirrors', 'explain', 'docker.io/library/nginx', ...node);

    assert.deepEqual([lint.exitCode, explain.exitCode], [0, 0], lint.stdout + explain.stdout);
    for (const { stdout } of [lint, explain]) {
      assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(note), stdout);
    }
    assert.doesNotMatch(quiet.stdout, /is taken for/);
  });
}

test('a runtime that is typed counts, and not the one that the node remembers', async (t) => {
  const folder = await written(t, 'containerd@2.1.1');
  const old = ['--runtime', 'containerd@1.6.20'];

  const lint = await runCli(folder, 'mirrors', 'lint', ...node, ...old);
  const explain = await runCli(folder, 'mirrors', 'explain', 'nginx', ...node, ...old);

  assert.match(lint.stdout, /error C019/);
  for (const { stdout } of [lint, explain]) assert.doesNotMatch(stdout, /is taken for/);
});
