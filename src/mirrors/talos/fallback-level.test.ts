import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';
import type { LintedSite } from '../runtime-rules.ts';
import { MACHINE_CONFIG } from './read/machine-config.ts';

async function levels(mirror: string, site: LintedSite): Promise<readonly string[]> {
  const text = `machine:\n  registries:\n    mirrors:\n      c.example:\n        ${mirror}\n`;
  const talos = await openRuntime({ name: 'talos', version: '1.11.6' });
  const found = await talos.lint(memoryTree({ [MACHINE_CONFIG]: text }), site);
  return found.map(({ rule, level }) => `${rule} ${level}`);
}

test('a registry behind its mirrors is worth knowing online and an error offline (T003)', async () => {
  const mirrored = 'endpoints: [https://m.example]';

  assert.deepEqual(await levels(mirrored, { mode: 'online' }), ['T003 info']);
  assert.deepEqual(await levels(mirrored, { mode: 'offline' }), ['T003 error']);
});

test('a registry that is listed without any mirror needs thought online too (T003)', async () => {
  assert.deepEqual(await levels('skipFallback: true', { mode: 'online' }), ['T003 warn']);
});
