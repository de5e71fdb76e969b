/**
 * Generated nodes, read by Docker's own packages and by us: whether the daemon starts and why not, whom it
 * asks for images with both image stores, in which order, and how far it trusts them. Needs Go.
 *
 * SLIPWAY_SEED and SLIPWAY_RUNS choose other nodes and another number of them.
 */

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { systemClock } from '../../../src/shared/ports.ts';
import { createAuthority } from '../../../src/trust/authority.ts';
import { scratchFolder } from '../../support/tools/scratch-folder.ts';
import { runOptions } from '../run-options.ts';
import { askDocker } from './ask-docker.ts';
import { buildDocker } from './build-docker.ts';
import { comparedAnswer } from './compare-answers.ts';
import { countRows } from './coverage.ts';
import { worlds } from './generate-world.ts';
import { type DockerLine, dockerLines } from './lines.ts';
import { loadMutant, mutants } from './mutants.ts';
import { ourAnswer } from './our-answer.ts';
import type { Answer, World } from './world.ts';

const options = runOptions({ count: 1000 });
const { certificate } = await createAuthority({ name: 'site', validDays: 2 }, systemClock);
const nodes = fc.sample(worlds, { seed: options.seed, numRuns: options.count }).map(certified);
const recorded: { readonly line: DockerLine; readonly answers: readonly Answer[] }[] = [];

let folder: Awaited<ReturnType<typeof scratchFolder>>;
before(async () => {
  folder = await scratchFolder();
});
after(() => folder[Symbol.asyncDispose]());

for (const line of dockerLines) {
  const name = `Docker ${line.version} and we agree on ${nodes.length} nodes`;
  test(`${name} (seed ${options.seed})`, async (t) => {
    const place = `${folder.path}/${line.version}`;
    const program = await buildDocker(line, place);

    const answers = await askDocker(program, place, nodes);

    recorded.push({ line, answers });
    const found = await differences(line, answers, ourAnswer);
    assert.equal(found.slice(0, 3).join('\n\n'), '', `${found.length} differences`);
    const cases = nodes.map((world, index) => ({ world, answer: answers[index] ?? {} }));
    const counts = Array.from(countRows(cases));
    for (const [what, count] of counts) t.diagnostic(`${String(count).padStart(6)} ${what}`);
    const empty = counts
      .filter(([what, count]) => count === 0 && isAsked(what, line))
      .map(([what]) => what);
    // Other seeds, and fewer nodes, may leave a rare row out.
    if (options.isUsual) assert.deepEqual(empty, [], 'rows without a node');
  });
}

for (const mutant of mutants) {
  test(`the nodes catch it when ${mutant.name}`, async () => {
    await using copy = await scratchFolder();
    const { ourAnswer: mistaken } = await loadMutant(copy.path, mutant);
    let found = 0;
    for (const { line, answers } of recorded) {
      if (found === 0) found = (await differences(line, answers, mistaken, 1)).length;
    }

    assert.notEqual(found, 0, 'no node of any version shows the difference');
  });
}

async function differences(
  line: DockerLine,
  answers: readonly Answer[],
  ask: typeof ourAnswer,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, world] of nodes.entries()) {
    if (found.length >= most) break;
    const theirs = comparedAnswer(answers[index] ?? {}, line.version);
    const ours = comparedAnswer(await ask(world, line.version), line.version);
    if (isDeepStrictEqual(theirs, ours)) continue;
    const parts = { world, docker: theirs, ours };
    found.push(
      Object.entries(parts)
        .map(([who, what]) => `${who}: ${JSON.stringify(what)}`)
        .join('\n'),
    );
  }
  return found;
}

function isAsked(row: string, { hosts }: DockerLine): boolean {
  return hosts !== undefined || !row.startsWith('containerd store');
}

function certified(world: World): World {
  const files = Object.entries(world.files).map(([path, text]): [string, string] => [
    path,
    text === 'CERTIFICATE' ? certificate : text,
  ]);
  return { ...world, files: Object.fromEntries(files) };
}
