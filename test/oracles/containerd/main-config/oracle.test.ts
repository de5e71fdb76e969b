/**
 * Main configurations, read by the real containerd and by us: both must say alike whether the CRI
 * plugin loads, does not load, or containerd does not even start. Needs Go and root; run with
 * `node --test test/oracles/containerd/main-config/oracle.test.ts`.
 */

import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { readMainConfig } from '../../../../src/mirrors/containerd/main-config/main-config.ts';
import { containerdBehaviourFor } from '../../../../src/mirrors/containerd-version/behaviour.ts';
import { loadConfigSchema } from '../../../../src/mirrors/containerd-version/config-schema.ts';
import { memoryTree } from '../../../../src/mirrors/memory-tree.ts';
import { toolPath } from '../../../support/tools/build-tools.ts';
import { containerdVersion } from '../../../support/tools/tool-sets.ts';
import { configFolders } from './configs.ts';
import { type ConfigFolder, realVerdict, type Verdict } from './real-verdict.ts';

const version = containerdVersion.replace(/^v/, '');

async function ourVerdict(files: ConfigFolder): Promise<{ verdict: Verdict; error: string }> {
  const placed: Record<string, string | Uint8Array> = {};
  for (const [name, content] of Object.entries(files)) placed[`/etc/containerd/${name}`] = content;
  const tree = memoryTree(placed);
  const config = await readMainConfig(
    tree,
    await containerdBehaviourFor({ name: 'containerd', version }),
  );
  if (config.kind === 'read') return { verdict: 'loads', error: '' };
  return { verdict: verdicts[config.effect], error: config.error };
}

const verdicts = {
  'containerd does not start': 'does not start',
  'the CRI plugin does not load': 'does not load',
  // CRI is up and answers; only a pull shows the difference.
  'every pull fails': 'loads',
} as const;

async function compare(t: TestContext, files: ConfigFolder): Promise<void> {
  const theirs = await realVerdict(t, await toolPath('containerd', 'containerd'), files);

  const ours = await ourVerdict(files);

  assert.equal(ours.verdict, theirs.verdict, `${ours.error}\ncontainerd's log:\n${theirs.log}`);
}

for (const [claim, files] of configFolders) {
  test(`containerd ${version} and we agree on ${claim}`, (t) => compare(t, files));
}

test(`containerd ${version} and we agree on what CRI depends on`, async (t) => {
  const { mainConfig } = await containerdBehaviourFor({ name: 'containerd', version });
  const { settings } = await loadConfigSchema(mainConfig);
  for (const plugin of settings.keys()) {
    await t.test(`without ${plugin}`, (inner) => {
      const files = { 'config.toml': `version = 3\ndisabled_plugins = ["${plugin}"]\n` };
      return compare(inner, files);
    });
  }
});
