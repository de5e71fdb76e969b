/** What each line of containerd was recorded to do where we once did otherwise (test/oracles/containerd). */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { PullAnswer } from './oracles/containerd/answers.ts';
import type { Difference } from './oracles/containerd/differences.ts';
import { lineCase } from './oracles/containerd/line-case.ts';
import { lines } from './oracles/containerd/lines.ts';
import { openLine, ourAnswer } from './oracles/containerd/our-answer.ts';

interface RecordedCase extends Difference {
  readonly answers: readonly {
    readonly lines: readonly string[];
    readonly answer: PullAnswer;
  }[];
}

// The file is written by test/oracles/containerd/record.ts in this shape.
const recorded = JSON.parse(
  readFileSync(
    new URL('../src/mirrors/containerd/testdata/oracle-cases.json', import.meta.url),
    'utf8',
  ),
) as readonly RecordedCase[];

for (const { claim, one, answers } of recorded) {
  test(`as recorded from containerd: ${claim}`, async () => {
    for (const line of lines) {
      const ours = await ourAnswer(lineCase(one, line, { files: {} }), await openLine(line));

      const theirs = answers.find((known) => known.lines.includes(line.name));
      assert.deepEqual(ours, theirs?.answer, line.version);
    }
  });
}
