import { newestOf } from '../release-spans.ts';
import { type LintQuestion, lintUnit } from './judge/lint-unit-findings.ts';
import type { LintJob } from './lint-job.ts';
import type { LintUnit } from './units/lint-unit.ts';

/** The files of one runtime, linted for each version that it may have. */
export function unitJob(unit: LintUnit, question: LintQuestion): LintJob {
  const version = newestOf(question.spans);
  const newestRules = () => question.open({ name: unit.runtime, version });
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
