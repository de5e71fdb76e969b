/**
 * Generated machine configurations, read by Talos's own code and by us: refused by both, or the same
 * hosts.toml files, certificates and logins. Needs Go; a fixed seed unless SLIPWAY_SEED and SLIPWAY_RUNS say otherwise.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { importMutant } from '../../support/import-mutant.ts';
import { createPki } from '../containerd/pki.ts';
import { runOptions } from '../run-options.ts';
import { isSameAnswer } from './compare-answers.ts';
import { countRows } from './coverage.ts';
import { machineConfigs } from './generate-config.ts';
import { lines, realAnswers } from './lines.ts';
import { mutants } from './mutants.ts';
import type * as OurAnswer from './our-answer.ts';
import { ourAnswer, type TalosAnswer } from './our-answer.ts';

const { seed, count, isUsual } = runOptions({ count: 1000 });
const { site } = await createPki();
const pems = { certificate: site.certificate, key: site.key.reveal() };
const configs = fc.sample(machineConfigs(pems), { seed, numRuns: count });

for (const line of lines) {
  test(`of ${count} configurations (seed ${seed}) we make what Talos ${line.version} makes`, async (t) => {
    const theirs = await realAnswers(line, configs);

    const found = await differences(theirs, line.version, ourAnswer);

    assert.equal(found.slice(0, 3).join('\n\n'), '', `${found.length} differences`);
    const counts = countRows(configs, theirs, line.version.startsWith('1.12'));
    for (const [what, times] of counts) t.diagnostic(`${String(times).padStart(6)} ${what}`);
    const empty = [...counts].filter(([, times]) => times === 0).map(([what]) => what);
    if (isUsual) assert.deepEqual(empty, []);
    for (const mutant of mutants) {
      const mistaken = await importMutant<typeof OurAnswer>('talos', mutant);
      const caught = await differences(theirs, line.version, mistaken.ourAnswer, 1);
      assert.notEqual(caught.length, 0, mutant.what);
    }
  });
}

/** At most `most` cases, each with both answers. */
async function differences(
  theirs: readonly TalosAnswer[],
  version: string,
  read: typeof ourAnswer,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [at, text] of configs.entries()) {
    if (found.length >= most) break;
    const [want, got] = [theirs[at] ?? {}, await read(text, version)];
    if (isSameAnswer(want, got)) continue;
    found.push(`${text}\nTalos: ${JSON.stringify(want)}\nours:  ${JSON.stringify(got)}`);
  }
  return found;
}
