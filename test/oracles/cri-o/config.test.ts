/**
 * Generated files of CRI-O's own configuration, read by its package `pkg/config` and by us: the same settings, or the
 * same error. Needs Go; a fixed seed unless SLIPWAY_SEED and SLIPWAY_RUNS say otherwise.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { runOptions } from '../run-options.ts';
import { askCrio } from './ask-crio.ts';
import { crioFiles } from './generate-config.ts';
import { ourAnswer, shownAnswer } from './our-answer.ts';

const { seed, count, isUsual } = runOptions({ count: 1000 });
const nodes = fc.sample(crioFiles, { seed, numRuns: count });

test(`of ${count} nodes (seed ${seed}) we read what CRI-O reads in crio.conf and crio.conf.d`, async (t) => {
  const theirs = await askCrio(nodes);

  const found: string[] = [];
  for (const [at, files] of nodes.entries()) {
    const [want, got] = [shownAnswer(theirs[at] ?? {}), shownAnswer(await ourAnswer(files))];
    if (want !== got) found.push(`${JSON.stringify(files)}\nCRI-O: ${want}\nours:  ${got}`);
  }
  assert.equal(found.slice(0, 3).join('\n\n'), '', `${found.length} differences`);

  const rows = {
    'no setting': theirs.filter((one) => Object.keys(one).length === 0),
    'an auth file': theirs.filter(({ auth }) => auth !== undefined),
    'a pause image': theirs.filter(({ pause }) => pause !== undefined),
    'refused: main file': theirs.filter(({ error }) => error?.startsWith('update config') === true),
    'refused: drop-in': theirs.filter(({ error }) => error?.startsWith('walk path') === true),
    'refused: wrong type': theirs.filter(({ error }) => /incompatible types/.test(error ?? '')),
  };
  for (const [what, { length }] of Object.entries(rows)) {
    t.diagnostic(`${String(length).padStart(6)} ${what}`);
    if (isUsual) assert.notEqual(length, 0, what);
  }
});
