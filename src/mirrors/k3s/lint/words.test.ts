import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../../memory-tree.ts';
import { openRuntime } from '../../open-runtime.ts';

const PATH = '/etc/rancher/k3s/registries.yaml';

async function lintKey(key: string) {
  const k3s = await openRuntime({ name: 'k3s', version: 'v1.31.4+k3s1' });
  const text = `mirrors:\n  ${key}:\n    endpoint: ["https://m.example"]\n`;
  return k3s.lint(memoryTree({ [PATH]: text }), { mode: 'offline' });
}

test('offline, a key that is never looked up has no mirrors after which its registry is asked', async () => {
  const found = await lintKey('https://docker.io');

  assert.deepEqual(
    found.map(({ rule, registry, message }) => `${rule} ${registry}: ${message}`),
    [
      'K008 *: there is no "*": a registry that is not listed is asked itself, outside of the site',
      'K003 docker.io: no image is looked up under https://docker.io: names of images have no scheme',
      'K008 docker.io: docker.io is asked itself, and once its key is right still after the mirrors',
    ],
  );
});

test('a bare * is explained in words of its own', async () => {
  const [found] = await lintKey('*');

  assert.match(found?.message ?? '', /: \* without quotes refers to an anchor in YAML \(/);
  assert.equal(found?.fix, 'Put the * into quotes: "*".');
});
