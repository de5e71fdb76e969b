/**
 * The data file of the line that the scenarios use, against the program itself: its keys, its plugins
 * and the types of their settings by reflection. Needs Go; the first build takes some minutes. The files
 * of the other lines were made with the same program and another version in its go.mod.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { containerdBehaviourFor } from '../../../../src/mirrors/containerd-version/behaviour.ts';
import { loadConfigSchema } from '../../../../src/mirrors/containerd-version/config-schema.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { containerdVersion } from '../../../support/tools/tool-sets.ts';

const version = containerdVersion.replace(/^v/, '');

test(`the keys, plugins and settings of containerd ${version} are those of its types`, async (t) => {
  const program = join(await tempDir(t), 'describe');
  const cwd = new URL('describe', import.meta.url).pathname;
  const env = { ...process.env, CGO_ENABLED: '0' };
  execFileSync('go', ['build', '-trimpath', '-o', program, '.'], { cwd, env, stdio: 'inherit' });

  // The program prints this shape; what differs from it fails the comparison below.
  const theirs = JSON.parse(execFileSync(program, { encoding: 'utf8' })) as {
    readonly keys: unknown;
    readonly settings: Readonly<Record<string, unknown>>;
  };

  const { mainConfig } = await containerdBehaviourFor({ name: 'containerd', version });
  const ours = await loadConfigSchema(mainConfig);
  const settings = Object.entries(theirs.settings).map(([name, type]) => [name, type ?? {}]);
  assert.deepEqual(ours.keys, theirs.keys);
  assert.deepEqual(Object.fromEntries(ours.settings), Object.fromEntries(settings));
});
