import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../../memory-tree.ts';
import { openRuntime } from '../../open-runtime.ts';
import { MACHINE_CONFIG } from '../read/machine-config.ts';

async function lintEndpoint(url: string) {
  const talos = await openRuntime({ name: 'talos', version: '1.11.5' });
  const mirror = `{endpoints: ["${url}"], skipFallback: true}`;
  const text = `machine:\n  registries:\n    mirrors:\n      quay.io: ${mirror}\n`;
  const found = await talos.lint(memoryTree({ [MACHINE_CONFIG]: text }), { mode: 'offline' });
  return found.map(({ rule, level }) => `${rule} ${level}`);
}

test('offline, the registry itself as an endpoint is an error, also with skipFallback', async () => {
  assert.deepEqual(await lintEndpoint('https://quay.io'), ['T003 error']);
  assert.deepEqual(await lintEndpoint('https://m.example'), []);
});
