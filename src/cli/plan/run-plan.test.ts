import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

test('plan --offline without an earlier Lock says just that', async (t) => {
  const folder = await tempDir(t);
  await writeFile(
    join(folder, 'release.yaml'),
    `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: a, version: 1.0.0}
spec:
  platforms: [linux/amd64]
  components: [{name: a, images: ["quay.io/a/b:1", "quay.io/a/c:1"]}]
`,
  );

  const { exitCode, stderr } = await runCli(folder, 'plan', 'release.yaml', '--offline');

  assert.equal(exitCode, 65);
  assert.match(
    stderr,
    /^there is no a\.lock\.yaml, and --offline takes everything from it +PLAN_WITHOUT_LOCK/,
  );
  assert.deepEqual(await readdir(folder), ['release.yaml']);
});
