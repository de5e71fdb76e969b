import { toolPath } from '../../support/tools/build-tools.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import type { CrioAnswer, CrioFiles } from './our-answer.ts';

/** What CRI-O's own package says about the files of each node. Needs Go. */
export async function askCrio(nodes: readonly CrioFiles[]): Promise<readonly CrioAnswer[]> {
  const input = nodes.map((files) => `${JSON.stringify(files)}\n`).join('');
  const program = await toolPath('cri-o', 'oracle');
  const { stdout } = await runProgram([program], { input, timeoutMs: 300_000 });
  const answers = stdout.trimEnd().split('\n');
  return answers.map((line) => JSON.parse(line) as CrioAnswer); // written by program/main.go
}
