import assert from 'node:assert/strict';
import test from 'node:test';
import { formatOrigin } from '../../finding.ts';
import { memoryTree } from '../../memory-tree.ts';
import { openRuntime } from '../../open-runtime.ts';
import { withMisnamed } from './misnamed-files.ts';

const folder = '/etc/rancher/k3s';

async function found(files: Readonly<Record<string, string>>) {
  const k3s = await openRuntime({ name: 'k3s', version: 'v1.31.4+k3s1' });
  return withMisnamed(memoryTree(files), (tree) => k3s.lint(tree, { mode: 'online' }));
}

const said = (all: Awaited<ReturnType<typeof found>>) =>
  all.map(({ rule, origin }) => `${rule} ${formatOrigin(origin)}`);

test('a file with a wrong name is judged by what it says, too, at its own lines', async () => {
  const all = await found({
    [`${folder}/registry.yaml`]: 'mirrors:\n  a.example:\n    endpoints:\n',
  });

  assert.deepEqual(said(all), [`C001 ${folder}/registry.yaml`, `K001 ${folder}/registry.yaml:3:5`]);
  const paths = all.flatMap(({ mend }) => (mend === undefined ? [] : [mend.path]));
  assert.deepEqual(new Set(paths), new Set([`${folder}/registry.yaml`]));
});

test('a file beside the right one is not taken for it', async () => {
  const all = await found({
    [`${folder}/registry.yaml`]: 'mirrros: {}\n',
    [`${folder}/registries.yaml`]: 'mirrors: {}\n',
  });

  assert.deepEqual(said(all), [`C001 ${folder}/registry.yaml`]);
});
