/** Which cases of lint stand beside which, three at a time: every case occurs, with partners chosen by a seed. */

import type { Finding } from '../../src/mirrors/finding.ts';
import { type CombinedCase, type Files, isAt, type LintCase, type Side } from './lint-case.ts';

/** At which version and in which mode there is a finding. */
export type LintedUnder = Pick<LintCase, 'version' | 'mode'>;

/** Three cases as one configuration, at the version and in the mode of the one that they were chosen for. */
export interface Triple extends CombinedCase, LintedUnder {
  readonly cases: readonly LintCase[];
}

type Lint = (files: Files, under: LintedUnder) => Promise<readonly Finding[]>;

/** How cases are chosen: deterministic for a seed. */
export interface TripleChoice<One extends LintCase> {
  readonly cases: readonly One[];
  combine(cases: readonly One[], side: Side): CombinedCase | undefined;
  settings(one: One): Pick<LintCase, Side> | undefined;
  readonly side: Side;
  readonly lint: Lint;
}

/** Three with this case among them; undefined where no two others can stand beside it. */
export async function tripleWith<One extends LintCase>(
  one: One,
  choice: TripleChoice<One>,
): Promise<Triple | undefined> {
  const { version, mode } = one;
  const at = { ...(version && { version }), ...(mode && { mode }) };
  const seed = choice.cases.indexOf(one);
  let group: readonly One[] = [one];
  for (const other of shuffled(choice.cases, seed)) {
    if (other === one || group.length === 3 || !mayMove(other, one)) continue;
    const moved = Object.keys(at).length === 0 ? other : { ...other, ...at };
    const more = turned([...group, moved], seed);
    if (await standTogether(more, choice)) group = more;
  }
  const together = group.length === 3 ? choice.combine(group, choice.side) : undefined;
  return together && { ...together, ...at, cases: group };
}

/** A case of no version or mode may stand beside one that has; whether it is found there is looked up. */
function mayMove(other: LintCase, { version, mode }: LintCase): boolean {
  const { version: own = version, mode: ownMode = mode } = other;
  return own === version && ownMode === mode;
}

/** Whether files can hold all of them, and each keeps its finding under what the others set for the node. */
async function standTogether<One extends LintCase>(
  group: readonly One[],
  choice: TripleChoice<One>,
): Promise<boolean> {
  if (choice.combine(group, choice.side) === undefined) return false;
  for (const one of group) {
    const around = group.flatMap((other) => (other === one ? [] : settingsOf(other, choice)));
    const isAsItWas = around.length === 0 && choice.cases.includes(one);
    if (!isAsItWas && !(await holds([one, ...around], choice))) return false;
  }
  return true;
}

function settingsOf<One extends LintCase>(
  one: One,
  { settings }: TripleChoice<One>,
): readonly One[] {
  const { wrong, right } = settings(one) ?? { wrong: {}, right: {} };
  const paths = [...Object.keys(wrong), ...Object.keys(right)];
  return paths.length === 0 ? [] : [{ ...one, wrong, right }];
}

/** Whether the first has its finding, or nothing where it is right. */
async function holds<One extends LintCase>(
  some: readonly One[],
  { combine, side, lint }: TripleChoice<One>,
): Promise<boolean> {
  const [one] = some;
  const own = combine(some, side);
  if (one === undefined || own === undefined) return false;
  const found = await lint(own.files, one);
  if (side === 'right') return found.length === 0;
  return found.some((finding) => isAt(finding, one.rule, own.at[0] ?? ''));
}

function turned<One>(group: readonly One[], by: number): readonly One[] {
  const at = by % group.length;
  return [...group.slice(at), ...group.slice(0, at)];
}

/** In an order of its own for each seed: a linear congruential generator is enough for that. */
function shuffled<One>(all: readonly One[], seed: number): readonly One[] {
  let state = seed + 4;
  const keyed = all.map((one) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return { one, key: state };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}
