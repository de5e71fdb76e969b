/** What Talos's own code said of small configurations (test/oracles/talos/record.ts), said by us. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { isSameAnswer } from './oracles/talos/compare-answers.ts';
import { ourAnswer, type TalosAnswer } from './oracles/talos/our-answer.ts';

interface RecordedCase {
  readonly what: string;
  readonly version: string;
  readonly text: string;
  readonly answer: TalosAnswer;
}

// Written by test/oracles/talos/record.ts.
const cases = JSON.parse(
  readFileSync(new URL('../src/mirrors/talos/testdata/oracle-cases.json', import.meta.url), 'utf8'),
) as readonly RecordedCase[];

for (const { what, version, text, answer } of cases) {
  test(`Talos ${version}: ${what}`, async () => {
    const ours = await ourAnswer(text, version);

    assert.ok(isSameAnswer(answer, ours), `${JSON.stringify(answer)}\n${JSON.stringify(ours)}`);
  });
}
