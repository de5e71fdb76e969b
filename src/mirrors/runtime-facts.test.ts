import assert from 'node:assert/strict';
import test from 'node:test';
import { readAsset } from '../shared/assets.ts';
import { parseRuntimeId } from '../site/runtime-id.ts';
import { readVersions } from './containerd-version/behaviour.ts';
import { dockerBehaviourFor } from './docker/behaviour.ts';
import { k3sBehaviourFor } from './k3s/behaviour.ts';
import { openRuntime } from './open-runtime.ts';
import { talosBehaviourFor } from './talos/behaviour.ts';

/** Reads one runtime's data from another text; with a fact of the file and a version. */
const readers = [
  {
    name: 'containerd',
    fact: 'transfer-service',
    read: async (text: string) => readVersions(text).behaviourOf('2.1.1'),
  },
  {
    name: 'docker',
    fact: 'hosts-toml',
    read: (text: string) => dockerBehaviourFor({ name: 'docker', version: '28.0.1' }, text),
  },
  {
    name: 'talos',
    fact: 'skip-fallback',
    read: (text: string) => talosBehaviourFor({ name: 'talos', version: '1.11.0' }, text),
  },
  {
    name: 'k3s',
    fact: 'hosts-toml',
    read: (text: string) => k3sBehaviourFor({ name: 'k3s', version: 'v1.31.4+k3s1' }, text),
  },
];

for (const { name, fact, read } of readers) {
  test(`data of ${name} in which a fact is missing, twice or without versions is refused`, async () => {
    const text = await readAsset(`data/${name}/behaviour.yaml`);
    const entry = new RegExp(` {2}- name: ${fact}\\n(?: {4}.*\\n)+`).exec(text)?.[0] ?? '';
    const damages: ReadonlyArray<readonly [instead: string, message: RegExp]> = [
      ['', new RegExp(`does not have ${fact} once`)],
      [entry + entry, new RegExp(`does not have ${fact} once`)],
      [entry.replace(/versions: .*/, 'versions: ""'), /versions/],
    ];
    assert.notEqual(entry, '');

    await read(text);
    for (const [instead, message] of damages) {
      const damaged = read(text.replace(entry, instead));
      await assert.rejects(damaged, { code: 'DOCUMENT_INVALID', message });
    }
  });
}

for (const name of [
  'containerd@3.0.0',
  'containerd@9.0.0',
  'docker@30.0.0',
  'talos@2.0.0',
  'k3s@v2.0.0+k3s1',
  'k3s@v9.0.0+k3s1',
  'rke2@v2.0.0+rke2r1',
  'cri-o@2.0.0',
  'cri-o@9.0.0',
  'podman@7.0.0',
  'podman@9.9.9',
]) {
  test(`${name} is of a major that nobody knows`, async () => {
    await assert.rejects(openRuntime(parseRuntimeId(name)), { code: 'MIRROR_RUNTIME_UNKNOWN' });
  });
}

for (const name of ['k3s@v1.99.0+k3s1', 'cri-o@1.99.0', 'podman@5.99.0', 'docker@29.99.0']) {
  test(`${name} is taken for the newest known one`, async () => {
    await openRuntime(parseRuntimeId(name));
  });
}
