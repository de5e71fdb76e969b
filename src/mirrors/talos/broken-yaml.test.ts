import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';
import { MACHINE_CONFIG } from './read/machine-config.ts';

const texts: ReadonlyArray<readonly [what: string, text: string, line: number, words: RegExp]> = [
  ['a tab', 'machine:\n  registries:\n    mirrors:\n\t- x\n', 4, /tabs are not allowed/],
  ['an open bracket', 'machine: {registries: {mirrors: {a: {endpoints: [1\n', 2, /end with a ]/],
];

for (const [what, text, line, words] of texts) {
  test(`${what} is one finding, not one for each that follows from it`, async () => {
    const rules = await openRuntime({ name: 'talos', version: '1.13.9' });

    const found = await rules.lint(memoryTree({ [MACHINE_CONFIG]: text }), { mode: 'online' });

    assert.deepEqual(
      found.map(({ rule, origin }) => [rule, origin.line]),
      [['T004', line]],
    );
    assert.match(found[0]?.message ?? '', words);
  });
}
