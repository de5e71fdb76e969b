import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

test('init writes three commented documents into a new folder and says what comes next', async (t) => {
  const folder = await tempDir(t);

  const { exitCode, stdout } = await runCli(folder, 'init', 'my-platform');

  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /next: slipway plan my-platform\/release\.yaml my-platform\/policy\.yaml\n$/,
  );
  const files = await readdir(join(folder, 'my-platform'));
  assert.deepEqual(files.toSorted(), ['policy.yaml', 'release.yaml', 'site.yaml']);
  assert.match(
    await readFile(join(folder, 'my-platform/site.yaml'), 'utf8'),
    /^# .*\n.*\n.*kind: /ms,
  );
});

test('init changes nothing where one of its files is, and names it', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'policy.yaml'), 'mine\n');

  const { exitCode, stderr } = await runCli(folder, 'init');

  assert.equal(exitCode, 78);
  assert.match(stderr, /^policy\.yaml is there already; nothing was overwritten {2}STARTER_EXISTS/);
  assert.deepEqual(await readdir(folder), ['policy.yaml']);
  assert.equal(await readFile(join(folder, 'policy.yaml'), 'utf8'), 'mine\n');
});

test('init --json names the files', async (t) => {
  const folder = await tempDir(t);

  const { stdout } = await runCli(folder, 'init', '--json');

  const files = ['release.yaml', 'policy.yaml', 'site.yaml'];
  assert.deepEqual(JSON.parse(stdout), { folder, files });
});
