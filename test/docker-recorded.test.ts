import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { comparedAnswer } from './oracles/docker/compare-answers.ts';
import { ourAnswer } from './oracles/docker/our-answer.ts';
import type { Answer, World } from './oracles/docker/world.ts';

interface RecordedCase {
  readonly name: string;
  readonly version: string;
  readonly world: World;
  readonly answer: Answer;
}

// Written by test/oracles/docker/record.ts.
const cases = JSON.parse(
  readFileSync(
    new URL('../src/mirrors/docker/testdata/oracle-cases.json', import.meta.url),
    'utf8',
  ),
) as readonly RecordedCase[];

for (const { name, version, world, answer } of cases) {
  test(`Docker ${version} said so itself: ${name}`, async () => {
    const ours = await ourAnswer(world, version);

    assert.deepEqual(comparedAnswer(ours, version), comparedAnswer(answer, version));
  });
}

test('cases were recorded', () => {
  assert.notEqual(cases.length, 0);
});
