/** Decides which safe changes mend what was found in a unit, and looks at the result; writes nothing. */

import type { ConfigTree } from '../config-tree.ts';
import { openRuntime } from '../open-runtime.ts';
import type { Reload, RuntimeRules } from '../runtime-rules.ts';
import type { LintUnit } from './lint-unit.ts';
import { type LintFinding, type LintQuestion, lintUnit, runtimeId } from './lint-unit-findings.ts';
import { type MendedFiles, mendFiles } from './mend-files.ts';

/** What a fix does to one unit, with the findings under the user's names. */
export type FixPlan = MendedFiles<LintFinding>;

/** Mends until nothing that can be mended is found any more, or until another round changes nothing. */
export async function planFix(unit: LintUnit, question: LintQuestion): Promise<FixPlan> {
  return mendFiles({
    base: await baseTree(unit, question),
    lint: (changes) => lintUnit(unit, question, changes),
    mayBeNamed: (path) => unit.writePath(path) !== undefined,
  });
}

/** The user's own files are the same for every version. */
async function baseTree(unit: LintUnit, question: LintQuestion): Promise<ConfigTree> {
  return unit.treeFor(await newestRules(unit, question));
}

function newestRules(unit: LintUnit, { lines }: LintQuestion): Promise<RuntimeRules> {
  const version = lines.at(-1)?.versions.at(-1) ?? '';
  return openRuntime(runtimeId(unit, version));
}

/** What must be done on the node so that its runtime takes the mended files (R0-31). */
export async function reloadsAfter(
  { edits, renames }: FixPlan,
  unit: LintUnit,
  question: LintQuestion,
): Promise<readonly Reload[]> {
  const rules = await newestRules(unit, question);
  const changed = [...edits.map(({ path }) => path), ...renames.map(({ to }) => to)];
  return changed.flatMap((path) => rules.reloadFor(path) ?? []);
}

/** `C004, C006`: each rule once, in order. */
export function rulesOf(findings: readonly LintFinding[]): string {
  const rules = findings.map(({ rule }) => rule);
  return [...new Set(rules)].sort().join(', ');
}
