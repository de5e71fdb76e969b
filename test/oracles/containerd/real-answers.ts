/** containerd's own answers: the program of one line, run once over all cases. */

import { join } from 'node:path';
import { askProgram } from '../../support/tools/ask-program.ts';
import { buildTools } from '../../support/tools/build-tools.ts';
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
  const lines = cases.map((one) => JSON.stringify(one));
  const answers = await askProgram(oracle, lines, { env: noAuthorities });
  // The program prints this shape; what differs from it fails the comparison.
  return answers.map((text) => JSON.parse(text) as PullAnswer);
}
