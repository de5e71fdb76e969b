/** Decides which safe changes mend what was found in a unit, and looks at the result; writes nothing. */

import type { ConfigTree } from '../config-tree.ts';
import { openRuntime } from '../open-runtime.ts';
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

async function baseTree(unit: LintUnit, { lines }: LintQuestion): Promise<ConfigTree> {
  // The user's own files are the same for every version.
  const version = lines.at(-1)?.versions.at(-1) ?? '';
  return unit.treeFor(await openRuntime(runtimeId(unit, version)));
}

/** `C004, C006`: each rule once, in order. */
export function rulesOf(findings: readonly LintFinding[]): string {
  const rules = findings.map(({ rule }) => rule);
  return [...new Set(rules)].sort().join(', ');
}
