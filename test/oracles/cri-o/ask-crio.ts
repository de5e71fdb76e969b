import { askProgram } from '../../support/tools/ask-program.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import type { CrioAnswer, CrioFiles } from './our-answer.ts';

/** What CRI-O's own package says about the files of each node. Needs Go. */
export async function askCrio(nodes: readonly CrioFiles[]): Promise<readonly CrioAnswer[]> {
  const lines = nodes.map((files) => JSON.stringify(files));
  const answers = await askProgram(await toolPath('cri-o', 'oracle'), lines);
  return answers.map((line) => JSON.parse(line) as CrioAnswer); // written by program/main.go
}
