/** The lines of Talos that are asked. */

import { askProgram } from '../../support/tools/ask-program.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import type { TalosAnswer } from './our-answer.ts';

/** One line: its set of test/support/tools/tool-sets.ts, and the version that program/ names. */
export interface TalosLine {
  readonly set: 'talos-1.11' | 'talos-1.12';
  readonly version: string;
}

/** 1.12 is the first with documents about registries. */
export const lines: readonly TalosLine[] = [
  { set: 'talos-1.11', version: '1.11.5' },
  { set: 'talos-1.12', version: '1.12.0' },
];

interface ProgramAnswer extends Omit<TalosAnswer, 'refused'> {
  readonly unread?: string;
  readonly invalid?: string;
}

/** What the line's own code makes of each configuration. Needs Go the first time. */
export async function realAnswers(
  { set }: TalosLine,
  configs: readonly string[],
): Promise<readonly TalosAnswer[]> {
  const asked = configs.map((text) => JSON.stringify(text));
  const answers = await askProgram(await toolPath(set, 'oracle'), asked);
  // Written by program/main.go.
  return answers.map((line) => shown(JSON.parse(line) as ProgramAnswer));
}

/** Go's panic ends the part of Talos that writes the rules, which we count as a refusal. */
function shown({ unread, invalid, notMade, hosts, part }: ProgramAnswer): TalosAnswer {
  const panic = notMade?.startsWith('PANIC') === true ? notMade : undefined;
  const refused = unread ?? invalid ?? panic;
  if (refused !== undefined) return { refused };
  return notMade === undefined ? { hosts: hosts ?? {}, part: part ?? '' } : { notMade };
}
