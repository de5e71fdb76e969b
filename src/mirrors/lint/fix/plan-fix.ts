/** Decides which safe changes mend what was found in a job, and looks at the result; writes nothing. */

import type { LintJob } from '../lint-job.ts';
import type { LintFinding } from '../report/lint-finding.ts';
import { type MendedFiles, mendFiles } from './mend-files.ts';

/** What a fix does to the files of one job, with the findings under the user's names. */
export type FixPlan = MendedFiles<LintFinding>;

/** Mends until nothing that can be mended is found any more, or until another round changes nothing. */
export async function planFix(job: LintJob): Promise<FixPlan> {
  return mendFiles({
    base: await job.base(),
    lint: (changes) => job.lint(changes),
    mayBeNamed: (path) => job.names.writePath(path) !== undefined,
  });
}

/** The paths that are other ones, or have another content, afterwards. */
export function changedPaths({ edits, renames }: FixPlan): readonly string[] {
  return [...edits.map(({ path }) => path), ...renames.map(({ to }) => to)];
}

/** `C004, C006`: each rule once, in order. */
export function rulesOf(findings: readonly LintFinding[]): string {
  const rules = findings.map(({ rule }) => rule);
  return [...new Set(rules)].sort().join(', ');
}
