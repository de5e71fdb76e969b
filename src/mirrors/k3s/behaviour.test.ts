import assert from 'node:assert/strict';
import test from 'node:test';
import { k3sBehaviourFor } from './behaviour.ts';

const inside: ReadonlyArray<readonly [name: 'k3s' | 'rke2', version: string, containerd: string]> =
  [
    ['k3s', 'v1.28.8+k3s1', '1.7.11'],
    ['k3s', 'v1.28.9+k3s1', '1.7.15'],
    ['rke2', 'v1.28.9+rke2r1', '1.7.11'],
    ['rke2', 'v1.31.4+rke2r1', '1.7.23'],
    ['k3s', 'v1.31.14+k3s1', '2.1.5'],
    ['k3s', 'v1.27.0+k3s1', '1.6.19'],
    ['k3s', 'v1.25.16+k3s4', '1.7.7'],
  ];

for (const [name, version, containerd] of inside) {
  test(`${name} ${version} has containerd ${containerd} inside`, async () => {
    assert.equal((await k3sBehaviourFor({ name, version })).containerd.version, containerd);
  });
}

test('hosts.toml came with the releases of January 2024 of each line', async () => {
  const has = async (version: string) =>
    (await k3sBehaviourFor({ name: 'k3s', version })).has('hosts-toml');

  for (const version of ['v1.26.13+k3s1', 'v1.27.10+k3s1', 'v1.28.6+k3s1', 'v1.29.1+k3s1']) {
    assert.equal(await has(version), true, version);
  }
  for (const version of ['v1.26.12+k3s1', 'v1.27.9+k3s1', 'v1.28.5+k3s1', 'v1.29.0+k3s1']) {
    assert.equal(await has(version), false, version);
  }
});

test('a version that nobody has looked at is taken for the newest one', async () => {
  const { takenFor } = await k3sBehaviourFor({ name: 'k3s', version: 'v1.99.0+k3s1' });

  assert.equal(takenFor, 'v1.37.1');
});

test('other runtimes, no version and versions before the data are unknown', async () => {
  const unknown = { code: 'MIRROR_RUNTIME_UNKNOWN' };

  await assert.rejects(k3sBehaviourFor({ name: 'containerd', version: '2.1.1' }), unknown);
  await assert.rejects(k3sBehaviourFor({ name: 'k3s' }), unknown);
  await assert.rejects(k3sBehaviourFor({ name: 'rke2', version: 'v1.20.0+rke2r1' }), unknown);
});
