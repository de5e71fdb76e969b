/**
 * Asks every line about the cases of differences.ts and writes what it says to
 * src/mirrors/containerd/testdata/oracle-cases.json: `node test/oracles/containerd/record.ts`.
 */

import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PullAnswer } from './answers.ts';
import { type Difference, differences } from './differences.ts';
import { lineCase } from './line-case.ts';
import { lines } from './lines.ts';
import { realAnswers } from './real-answers.ts';

/** One case, and what each line did. */
interface RecordedCase extends Difference {
  readonly answers: { readonly lines: string[]; readonly answer: PullAnswer }[];
}

const recorded = differences.map((known): RecordedCase => ({ ...known, answers: [] }));
for (const line of lines) {
  const asked = differences.map(({ one }) => lineCase(one, line, { files: {} }));
  const answers = await realAnswers(line, asked);
  for (const [index, answer] of answers.entries()) {
    const known = recorded[index]?.answers ?? [];
    const same = known.find((other) => isDeepStrictEqual(other.answer, answer));
    if (same === undefined) known.push({ lines: [line.name], answer });
    else same.lines.push(line.name);
  }
}
const file = new URL('../../../src/mirrors/containerd/testdata/oracle-cases.json', import.meta.url);
const texts = recorded.map((one) => JSON.stringify(one));
await writeFile(file, `[\n${texts.join(',\n')}\n]\n`);
