/** What other programs were recorded to say of small cases (test/oracles/…/record.ts), said by us. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { PullAnswer } from './oracles/containerd/answers.ts';
import type { Difference } from './oracles/containerd/differences.ts';
import { lineCase } from './oracles/containerd/line-case.ts';
import { lines } from './oracles/containerd/lines.ts';
import { openLine, ourAnswer as ourContainerd } from './oracles/containerd/our-answer.ts';
import {
  type CrioAnswer,
  type CrioFiles,
  ourAnswer as ourCrio,
  shownAnswer,
} from './oracles/cri-o/our-answer.ts';
import { comparedAnswer } from './oracles/docker/compare-answers.ts';
import { ourAnswer as ourDocker } from './oracles/docker/our-answer.ts';
import type { Answer, World } from './oracles/docker/world.ts';
import { isSameAnswer } from './oracles/talos/compare-answers.ts';
import { ourAnswer as ourTalos, type TalosAnswer } from './oracles/talos/our-answer.ts';

interface ContainerdCase extends Difference {
  readonly answers: readonly { readonly lines: readonly string[]; readonly answer: PullAnswer }[];
}

interface CrioCase {
  readonly claim: string;
  readonly files: CrioFiles;
  readonly answer: CrioAnswer;
}

interface DockerCase {
  readonly claim: string;
  readonly version: string;
  readonly world: World;
  readonly answer: Answer;
}

interface TalosCase {
  readonly claim: string;
  readonly version: string;
  readonly text: string;
  readonly answer: TalosAnswer;
}

replay<ContainerdCase>('containerd/testdata/oracle-cases.json', async ({ one, answers }) => {
  for (const line of lines) {
    const ours = await ourContainerd(lineCase(one, line, { files: {} }), await openLine(line));

    const theirs = answers.find((known) => known.lines.includes(line.name));
    assert.deepEqual(ours, theirs?.answer, line.version);
  }
});

replay<CrioCase>('registries-conf/testdata/crio-cases.json', async ({ files, answer }) => {
  assert.equal(shownAnswer(await ourCrio(files)), shownAnswer(answer));
});

replay<DockerCase>('docker/testdata/oracle-cases.json', async ({ world, version, answer }) => {
  const ours = await ourDocker(world, version);

  assert.deepEqual(comparedAnswer(ours, version), comparedAnswer(answer, version));
});

replay<TalosCase>('talos/testdata/oracle-cases.json', async ({ text, version, answer }) => {
  const ours = await ourTalos(text, version);

  assert.ok(isSameAnswer(answer, ours), `${JSON.stringify(answer)}\n${JSON.stringify(ours)}`);
});

/** One test for each case of a file below src/mirrors; a file without any fails. */
function replay<Case extends { readonly claim: string; readonly version?: string }>(
  file: string,
  check: (one: Case) => Promise<void>,
): void {
  const place = new URL(`../src/mirrors/${file}`, import.meta.url);
  // The record.ts of the oracle writes it in this shape.
  const cases = JSON.parse(readFileSync(place, 'utf8')) as readonly Case[];
  test(`${file} holds recorded cases`, () => assert.ok(cases.length > 0));
  for (const one of cases) {
    const version = one.version === undefined ? '' : ` (${one.version})`;
    test(`as recorded in ${file}: ${one.claim}${version}`, () => check(one));
  }
}
