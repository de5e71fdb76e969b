import { hideSecretsIn } from '../../mirrors/diff/hide-secrets.ts';
import { unifiedDiff } from '../../mirrors/diff/unified-diff.ts';
import { leftAsNow } from '../../mirrors/lint/fix/left-as-now.ts';
import {
  changedPaths,
  type FixPlan,
  type LeftLink,
  planFix,
  rulesOf,
} from '../../mirrors/lint/fix/plan-fix.ts';
import { type FixedFile, writeFix } from '../../mirrors/lint/fix/write-fix.ts';
import type { LintJob } from '../../mirrors/lint/lint-job.ts';
import type { LintFinding } from '../../mirrors/lint/report/lint-finding.ts';
import type { FileNames } from '../../mirrors/lint/units/lint-unit.ts';
import type { Reload } from '../../mirrors/runtime-rules.ts';

/** One change, done or to be done; `rules` is what it mends: `C004, C006`. */
export type FixChange = FixedFile & Foreseen & { readonly rules: string };

interface Foreseen {
  /** How the file would change, where it is not done yet, without logins. */
  readonly diff?: readonly string[];
}

/** What a fix did, or would do. */
export interface FixReport {
  readonly dryRun: boolean;
  readonly changes: readonly FixChange[];
  readonly mended: readonly LintFinding[];
  /** Files that were left as they are because they are links. */
  readonly links: readonly LeftLink[];
  /** What makes the runtimes take the changed files (R0-31). */
  readonly reloads: readonly Reload[];
  /** What is found in the files as they are. */
  readonly found: readonly LintFinding[];
  /** What a person must decide: as it is found afterwards, or at its places of now when nothing is written. */
  readonly left: readonly LintFinding[];
}

/**
 * Mends the files of all jobs, or shows what that would be. Everything is planned before the first file is
 * written. MIRROR_FILE_CHANGED, MIRROR_PATH_UNUSABLE.
 */
export async function runFix(jobs: readonly LintJob[], dryRun: boolean): Promise<FixReport> {
  const planned = [];
  for (const job of jobs) planned.push({ job, plan: await planFix(job) });
  const plans = planned.map(({ plan }) => plan);
  const changes: FixChange[] = [];
  const reloads: Reload[] = [];
  for (const { job, plan } of planned) {
    const files = dryRun ? foreseen(job.names, plan) : await writeFix(job.names, plan);
    changes.push(...files.map((file) => ({ ...file, rules: rulesFor(file, plan) })));
    reloads.push(...(await job.reloadsFor(changedPaths(plan))));
  }
  return {
    dryRun,
    changes,
    reloads: [...new Map(reloads.map((one) => [one.command, one])).values()],
    found: plans.flatMap(({ found }) => found),
    links: plans.flatMap(({ links }) => links),
    mended: plans.flatMap(({ mended }) => mended),
    left: plans.flatMap((plan) => (dryRun ? leftAsNow(plan) : plan.left)),
  };
}

/** A file that was renamed was mended under both of its names. */
function rulesFor(change: FixedFile, { mended }: FixPlan): string {
  const kind = change.do === 'rename' ? 'rename' : 'edit';
  const same = mended.filter(({ mend }) => mend?.kind === kind);
  const here = same.filter(({ file }) => `${file}/`.startsWith(`${change.file}/`));
  return rulesOf(here.length > 0 ? here : same);
}

function foreseen(
  names: FileNames,
  { edits, renames }: FixPlan,
): readonly (FixedFile & Foreseen)[] {
  const shown = (path: string) => names.shownAs(path) ?? path;
  const changed = edits.map(({ path, before, after }) => {
    const file = shown(path);
    const hunks = unifiedDiff(before, after, hideSecretsIn);
    return { do: 'change', file, diff: [`--- ${file}`, `+++ ${file}`, ...hunks] } as const;
  });
  const renamed = renames.map(({ from, to }) => {
    return { do: 'rename', file: shown(from), to: shown(to) } as const;
  });
  return [...changed, ...renamed];
}
