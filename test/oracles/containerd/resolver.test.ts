/**
 * Generated configurations, read and asked by the resolver of each line of containerd itself and by us:
 * endpoints, requests in order, trust, logins and errors must be the same. Needs Go (npm run test:e2e:tools).
 *
 * SLIPWAY_SEED and SLIPWAY_RUNS choose other cases and another number of them.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import { countRows, missingRows, readRows, rowTable } from './coverage/rows.ts';
import { generateCases } from './generator/cases.ts';
import { lineCase } from './line-case.ts';
import { lines } from './lines.ts';
import { openLine, ourAnswer } from './our-answer.ts';
import { createPki } from './pki.ts';
import { realAnswers } from './real-answers.ts';
import { runOptions } from './run-options.ts';

const options = runOptions({ count: 1000 });
const cases = generateCases({ ...options, settled: false });

for (const line of lines) {
  const name = `containerd ${line.version} and we agree on ${cases.length} configurations`;
  test(`${name} (seed ${options.seed})`, async (t) => {
    const pki = await createPki();
    const asked = cases.map((one) => lineCase(one, line, pki));
    const runtime = await openLine(line);
    const rows = await readRows(line);

    const answers = await realAnswers(line, asked);

    for (const [index, one] of asked.entries()) {
      assert.deepEqual(await ourAnswer(one, runtime), answers[index], JSON.stringify(one));
    }
    const counts = countRows(rows, cases, answers);
    t.diagnostic(rowTable(counts));
    assert.deepEqual(missingRows(counts), [], 'rows without a case');
  });
}
