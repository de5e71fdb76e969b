/** containerd's own answers: the program of one line, run once over all cases. */

import { join } from 'node:path';
import { buildTools } from '../../support/tools/build-tools.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import type { PullAnswer } from './answers.ts';
import type { LineCase } from './line-case.ts';
import type { Line } from './lines.ts';

/** Authorities of this machine would only be in the way. */
const noAuthorities = { SSL_CERT_FILE: '/dev/null', SSL_CERT_DIR: '/nonexistent' };

/** One answer for each case, in order. */
export async function realAnswers(
  line: Line,
  cases: readonly LineCase[],
): Promise<readonly PullAnswer[]> {
  const oracle = join(await buildTools(line.oracle), 'oracle');
  const input = cases.map((one) => `${JSON.stringify(one)}\n`).join('');
  const { stdout } = await runProgram([oracle], {
    input,
    env: noAuthorities,
    timeoutMs: 300_000,
  });
  // The program prints this shape; what differs from it fails the comparison.
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as PullAnswer);
  if (answers.length !== cases.length) {
    throw new Error(`${answers.length} answers to ${cases.length} cases`);
  }
  return answers;
}
