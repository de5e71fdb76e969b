import type { LintJob } from './lint-job.ts';
import type { LintUnit } from './lint-unit.ts';
import { type LintQuestion, lintUnit, runtimeId } from './lint-unit-findings.ts';

/** The files of one runtime, linted for each version that it may have. */
export function unitJob(unit: LintUnit, question: LintQuestion): LintJob {
  const newest = question.lines.at(-1)?.versions.at(-1) ?? '';
  const newestRules = () => question.open(runtimeId(unit, newest));
  return {
    names: unit,
    // The user's own files are the same for every version.
    base: async () => unit.treeFor(await newestRules()),
    lint: (changes) => lintUnit(unit, question, changes),
    reloadsFor: async (paths) => {
      const rules = await newestRules();
      return paths.flatMap((path) => rules.reloadFor(path) ?? []);
    },
    files: () => unit.files().map((file) => ({ file, runtime: unit.runtime })),
    notSeen: () => unit.notSeen(),
  };
}
