import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../../mirrors/memory-tree.ts';
import type { ServiceUnits } from '../../mirrors/runtime-rules.ts';
import { readRuntimeService } from './runtime-service.ts';

const units = '/etc/systemd/system';
const k3s: ServiceUnits = {
  units: ['k3s.service', 'k3s-agent.service'],
  variablePrefix: 'CONTAINERD_',
};

async function valuesOf(
  service: ServiceUnits | undefined,
  files: Readonly<Record<string, string>>,
) {
  const { environment } = await readRuntimeService(memoryTree(files), service);
  return Object.fromEntries(Array.from(environment, ([name, { value }]) => [name, value]));
}

test('the first unit that the node has is read, with the files that it names after itself', async () => {
  const files = {
    [`${units}/k3s-agent.service`]: '[Service]\nEnvironmentFile=-/etc/default/%N\n',
    '/etc/default/k3s-agent': 'HTTPS_PROXY=http://p:3128\n',
    '/etc/default/k3s': 'HTTPS_PROXY=http://other:3128\n',
  };

  assert.deepEqual(await valuesOf(k3s, files), { HTTPS_PROXY: 'http://p:3128' });
});

test('what is meant for the containerd of k3s wins over what k3s itself uses', async () => {
  const lines = [
    '[Service]',
    'Environment=HTTPS_PROXY=http://a:1',
    'Environment=CONTAINERD_HTTPS_PROXY=',
  ];
  const files = { [`${units}/k3s.service`]: `${lines.join('\n')}http://b:1\n` };

  const { HTTPS_PROXY } = await valuesOf(k3s, files);
  assert.equal(HTTPS_PROXY, 'http://b:1');
});

test('without the unit its drop-ins still count', async () => {
  const files = { [`${units}/crio.service.d/p.conf`]: '[Service]\nEnvironment=NO_PROXY=x\n' };

  assert.deepEqual(await valuesOf({ units: ['crio.service'] }, files), { NO_PROXY: 'x' });
});

test('a runtime without a service has no variables from the node', async () => {
  const files = { [`${units}/containerd.service`]: '[Service]\nEnvironment=A=b\n' };

  assert.deepEqual(await valuesOf(undefined, files), {});
});
