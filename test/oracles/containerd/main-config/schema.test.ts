/**
 * The data file of the line that the scenarios use, against the program itself: its keys, its plugins
 * and the types of their settings by reflection. Needs Go; the first build takes some minutes. The files
 * of the other lines were made with the same program and another version in its go.mod.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import { containerdBehaviourFor } from '../../../../src/mirrors/containerd-version/behaviour.ts';
import { loadConfigSchema } from '../../../../src/mirrors/containerd-version/config-schema.ts';
import { toolPath } from '../../../support/tools/build-tools.ts';
import { runProgram } from '../../../support/tools/run-program.ts';
import { containerdVersion } from '../../../support/tools/tool-sets.ts';

const version = containerdVersion.replace(/^v/, '');

test(`the keys, plugins and settings of containerd ${version} are those of its types`, async () => {
  const { stdout } = await runProgram([await toolPath('main-config-types', 'describe')]);
  // The program prints this shape; what differs from it fails the comparison below.
  const theirs = JSON.parse(stdout) as {
    readonly keys: unknown;
    readonly settings: Readonly<Record<string, unknown>>;
  };

  const { mainConfig } = await containerdBehaviourFor({ name: 'containerd', version });
  const ours = await loadConfigSchema(mainConfig);
  const settings = Object.entries(theirs.settings).map(([name, type]) => [name, type ?? {}]);
  assert.deepEqual(ours.keys, theirs.keys);
  assert.deepEqual(Object.fromEntries(ours.settings), Object.fromEntries(settings));
});
