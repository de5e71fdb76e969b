import type { LintUnit } from '../../mirrors/lint/lint-unit.ts';
import type { LintFinding } from '../../mirrors/lint/lint-unit-findings.ts';
import { type FixPlan, rulesOf } from '../../mirrors/lint/plan-fix.ts';
import { unifiedDiff } from '../../mirrors/lint/unified-diff.ts';
import { type FixedFile, writeFix } from '../../mirrors/lint/write-fix.ts';

/** A plan and the unit that it is for. */
export interface PlannedFix {
  readonly unit: LintUnit;
  readonly plan: FixPlan;
}

/** One change, done or to be done. */
export type FixChange = FixedFile & {
  /** `C004, C006`: what it mends. */
  readonly rules: string;
  /** Of a change that is not done yet. */
  readonly diff?: string;
};

/** What a fix did, or would do. */
export interface FixReport {
  readonly dryRun: boolean;
  readonly changes: readonly FixChange[];
  readonly mended: readonly LintFinding[];
  /** What is found afterwards: what a person must decide. */
  readonly left: readonly LintFinding[];
}

/** Writes the plans, or shows what they would write. MIRROR_FILE_CHANGED, MIRROR_PATH_UNUSABLE. */
export async function runFix(planned: readonly PlannedFix[], dryRun: boolean): Promise<FixReport> {
  const changes: FixChange[] = [];
  for (const { unit, plan } of planned) {
    const files = dryRun ? foreseen(unit, plan) : await writeFix(unit, plan);
    changes.push(...files.map((file) => ({ ...file, rules: rulesFor(file, plan) })));
  }
  const mended = planned.flatMap(({ plan }) => plan.mended);
  return { dryRun, changes, mended, left: planned.flatMap(({ plan }) => plan.left) };
}

function rulesFor({ file }: FixedFile, { mended }: FixPlan): string {
  const here = mended.filter((finding) => `${finding.file}/`.startsWith(`${file}/`));
  return rulesOf(here.length > 0 ? here : mended);
}

function foreseen(unit: LintUnit, { edits, renames }: FixPlan) {
  const shown = (path: string) => unit.shownAs(path) ?? path;
  const changed = edits.map(({ path, before, after }) => {
    const file = shown(path);
    return { do: 'change', file, diff: unifiedDiff(file, file, before, after) } as const;
  });
  const renamed = renames.map(({ from, to }) => {
    return { do: 'rename', file: shown(from), to: shown(to) } as const;
  });
  return [...changed, ...renamed];
}
