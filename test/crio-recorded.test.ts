/** What CRI-O's own package said of small files (test/oracles/cri-o/record.ts), said by us. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import {
  type CrioAnswer,
  type CrioFiles,
  ourAnswer,
  shownAnswer,
} from './oracles/cri-o/our-answer.ts';

interface RecordedCase {
  readonly what: string;
  readonly files: CrioFiles;
  readonly answer: CrioAnswer;
}

// Written by test/oracles/cri-o/record.ts.
const cases = JSON.parse(
  readFileSync(
    new URL('../src/mirrors/registries-conf/testdata/crio-cases.json', import.meta.url),
    'utf8',
  ),
) as readonly RecordedCase[];

for (const { what, files, answer } of cases) {
  test(`CRI-O said so itself: ${what}`, async () => {
    assert.equal(shownAnswer(await ourAnswer(files)), shownAnswer(answer));
  });
}

test('cases of CRI-O were recorded', () => {
  assert.notEqual(cases.length, 0);
});
