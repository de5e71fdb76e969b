import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../../memory-tree.ts';
import { openRuntime } from '../../open-runtime.ts';

/** A value of a wrong kind, and what to write instead. */
const cases: ReadonlyArray<readonly [json: string, fix: string]> = [
  ['{"registry-mirrors": "https://m.example"}', 'Write a list: ["https://m.example"].'],
  ['{"registry-mirrors": 1}', 'Write a list: ["…"].'],
  ['{"debug": "true"}', 'Write true or false, without quotes.'],
  ['{"max-concurrent-downloads": "3"}', 'Write a whole number, without quotes.'],
  ['{"data-root": ["/data"]}', 'Write one text in quotes.'],
];

for (const [json, fix] of cases) {
  test(`${json} is told: ${fix}`, async () => {
    const rules = await openRuntime({ name: 'docker', version: '28.5.2' });

    const findings = await rules.lint(memoryTree({ '/etc/docker/daemon.json': json }), {
      mode: 'online',
    });

    assert.equal(findings.find(({ rule }) => rule === 'D004')?.fix, fix);
  });
}
