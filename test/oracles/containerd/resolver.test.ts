/**
 * Generated configurations, read and asked by the resolver of each line of containerd itself and by us:
 * endpoints, requests in order, trust, logins and errors must be the same. Then the same comparison with
 * faults in our code: it must see each of them. Needs Go (npm run test:e2e:tools).
 *
 * SLIPWAY_SEED and SLIPWAY_RUNS choose other cases and another number of them.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { scratchFolder } from '../../support/tools/scratch-folder.ts';
import { runOptions } from '../run-options.ts';
import type { PullAnswer } from './answers.ts';
import { countRows, missingRows, readRows, rowTable } from './coverage/rows.ts';
import { generateCases } from './generator/cases.ts';
import { type LineCase, lineCase } from './line-case.ts';
import { type Line, lines } from './lines.ts';
import { mutants } from './mutants.ts';
import { loadMutant, type Simulator } from './mutated-copy.ts';
import { openLine, ourAnswer } from './our-answer.ts';
import { createPki } from './pki.ts';
import { realAnswers } from './real-answers.ts';

const options = runOptions({ count: 1000 });
const cases = generateCases({ ...options, settled: false });
const pki = await createPki();

/** What containerd answered, for the faulty copies. */
interface Recorded {
  readonly line: Line;
  readonly asked: readonly LineCase[];
  readonly answers: readonly PullAnswer[];
}
const recorded: Recorded[] = [];

for (const line of lines) {
  const name = `containerd ${line.version} and we agree on ${cases.length} configurations`;
  test(`${name} (seed ${options.seed})`, async (t) => {
    const asked = cases.map((one) => lineCase(one, line, pki));
    const rows = await readRows(line);
    const runtime = await openLine(line);

    const answers = await realAnswers(line, asked);

    recorded.push({ line, asked, answers });
    for (const [index, one] of asked.entries()) {
      assert.deepEqual(await ourAnswer(one, runtime), answers[index], JSON.stringify(one));
    }
    const counts = countRows(rows, cases, answers);
    t.diagnostic(rowTable(counts));
    // Other seeds, and fewer cases, may leave a rare row out.
    if (options.isUsual) assert.deepEqual(missingRows(counts), [], 'rows without a case');
  });
}

for (const mutant of mutants) {
  test(`the cases catch it when ${mutant.name}`, async (t) => {
    await using folder = await scratchFolder();
    const copy = await loadMutant(folder.path, mutant);

    const found = await firstDifference(copy);

    assert.ok(found !== undefined, 'no case of any line shows the difference');
    t.diagnostic(`first seen in case ${found.index} of containerd ${found.line}`);
  });
}

async function firstDifference(
  copy: Simulator,
): Promise<{ readonly line: string; readonly index: number } | undefined> {
  for (const { line, asked, answers } of recorded) {
    const runtime = await copy.openLine(line);
    for (const [index, one] of asked.entries()) {
      const ours = await copy.ourAnswer(one, runtime);
      if (!isDeepStrictEqual(ours, answers[index])) return { line: line.name, index };
    }
  }
  return undefined;
}
