/**
 * Generated nodes, read by go.podman.io/image v5.38.0 and by us: the same tables, sources, blocked places,
 * candidates, logins and errors. Needs Go.
 *
 * `node --test test/oracles/registries-conf` runs a fixed seed; SLIPWAY_SEED=random (or a number) and
 * SLIPWAY_RUNS=20000 make it the long form. A difference prints the node, to become a recorded case.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { TomlVersion } from '../../../src/mirrors/go/toml/burnt-sushi-tables.ts';
import { importMutant } from '../../support/import-mutant.ts';
import { runOptions } from '../run-options.ts';
import { isSameAnswer } from './compare-answers.ts';
import { Coverage } from './coverage.ts';
import { worlds } from './generate-world.ts';
import { libraryAnswers } from './library.ts';
import { mutants } from './mutants.ts';
import type * as OurAnswer from './our-answer.ts';
import { ourAnswers } from './our-answer.ts';
import type { Answer, World } from './world.ts';

const { seed, count: runs, isUsual } = runOptions({ count: 1500 });

test(`on ${runs} nodes (seed ${seed}) we say what containers/image says`, async (t) => {
  const nodes = sampleWorlds('1.1', runs);
  const theirs = await libraryAnswers('1.1', nodes);

  const coverage = new Coverage();
  const differences: string[] = [];
  for (const [index, world] of nodes.entries()) {
    const answers = theirs[index] ?? [];
    for (const [at, name] of world.names.entries()) coverage.add(world, name, answers[at] ?? {});
    differences.push(...(await differencesOf(world, answers, ourAnswers)));
  }

  for (const [what, count] of coverage.counts) t.diagnostic(`${String(count).padStart(6)} ${what}`);
  assert.equal(differences.slice(0, 3).join('\n\n'), '', `${differences.length} differences`);
  if (isUsual) assert.deepEqual(coverage.missing(), []);
  await t.test('each of ten mistakes in our reading is noticed', async (tt) => {
    for (const mutant of mutants) {
      const { ourAnswers: mistaken } = await importMutant<typeof OurAnswer>(
        'registries-conf',
        mutant,
      );
      const caught = await firstDifference(nodes, theirs, mistaken);
      tt.diagnostic(`${mutant.what}: ${caught === undefined ? 'missed' : `node ${caught}`}`);
      assert.notEqual(caught, undefined, mutant.what);
    }
  });
});

test('with the TOML library of CRI-O before 1.36 too', async () => {
  const nodes = sampleWorlds('1.0', Math.ceil(runs / 3));
  const theirs = await libraryAnswers('1.0', nodes);

  const differences: string[] = [];
  for (const [index, world] of nodes.entries()) {
    differences.push(...(await differencesOf(world, theirs[index] ?? [], ourAnswers)));
  }

  assert.equal(differences.slice(0, 3).join('\n\n'), '', `${differences.length} differences`);
});

function sampleWorlds(toml: TomlVersion, numRuns: number): readonly World[] {
  return fc.sample(worlds, { seed, numRuns }).map((world) => ({ ...world, toml }));
}

type Reader = (world: World) => Promise<readonly Answer[]>;

async function differencesOf(
  world: World,
  theirs: readonly Answer[],
  read: Reader,
): Promise<readonly string[]> {
  const ours = await read(world);
  return world.names.flatMap((name, at) => {
    const [want, got] = [theirs[at] ?? {}, ours[at] ?? {}];
    if (isSameAnswer(want, got, world)) return [];
    const files = Object.entries(world.files).map(([path, text]) => `# ${path}\n${String(text)}`);
    return [
      `${files.join('\n')}\n${name} (mode ${world.mode ?? 'of the files'})\nlibrary: ${JSON.stringify(want)}\nours:    ${JSON.stringify(got)}`,
    ];
  });
}

/** The number of the first node that shows a mistake, from 1. */
async function firstDifference(
  nodes: readonly World[],
  theirs: ReadonlyArray<readonly Answer[]>,
  read: Reader,
): Promise<number | undefined> {
  for (const [index, world] of nodes.entries()) {
    const found = await differencesOf(world, theirs[index] ?? [], read);
    if (found.length > 0) return index + 1;
  }
  return undefined;
}
