import type { FindingLevel } from '../../mirrors/finding.ts';
import type { FindingRule } from '../../mirrors/finding-rules.ts';
import type { LintedFile } from '../../mirrors/lint/lint-job.ts';
import { consequenceOf } from '../../mirrors/lint/report/consequence.ts';
import type { LintFinding } from '../../mirrors/lint/report/lint-finding.ts';
import type { LintedSite } from '../../mirrors/runtime-rules.ts';
import { formatCount } from '../../shared/quantities.ts';
import type { FixReport } from './run-fix.ts';

/** What a lint found. */
export interface LintReport {
  readonly files: readonly LintedFile[];
  /** What is wrong; after a fix what is still wrong. */
  readonly findings: readonly LintFinding[];
  /** Certificates that the files name and that nobody handed over. */
  readonly notSeen: readonly string[];
  /** Where the runtime of a node comes from. */
  readonly notes: readonly string[];
  readonly fix?: FixReport;
  /** The command that goes on. */
  readonly next: string | undefined;
}

/** A report with what is needed to put it into words. */
export interface LintedReport {
  readonly report: LintReport;
  readonly rules: readonly FindingRule[];
  readonly site: LintedSite;
}

/** How many findings there are of a level. */
export function countOf(findings: readonly LintFinding[], level: FindingLevel): number {
  return findings.filter((finding) => finding.level === level).length;
}

/** `2 files, 3 errors, 1 warning: pulls of docker.io leave the site`; nothing found: `1 file, nothing wrong`. */
export function answerOf({ report, rules, site }: LintedReport): string {
  const { findings, files } = report;
  const counts = [
    [countOf(findings, 'error'), 'error'],
    [countOf(findings, 'warn'), 'warning'],
    [countOf(findings, 'info'), 'note'],
  ] as const;
  const found = counts.flatMap(([count, noun]) => (count > 0 ? [formatCount(count, noun)] : []));
  const distinct = new Set(files.map(({ file }) => file)).size;
  // A node without any file can be wrong too, by what its runtime does by itself.
  const looked = distinct === 0 && found.length > 0 ? [] : [formatCount(distinct, 'file')];
  const said = [...looked, ...(found.length > 0 ? found : ['nothing wrong'])];
  const then = consequenceOf(findings, rules, site);
  return said.join(', ') + (then === undefined ? '' : `: ${then}`);
}

/** The report as `--json` prints it; the guide describes it (docs/guide/check-mirror-files.md). */
export function lintAsJson(view: LintedReport): unknown {
  const { files, findings, notSeen, notes, fix, next } = view.report;
  return {
    answer: answerOf(view),
    mode: view.site.mode,
    files,
    counts: {
      error: countOf(findings, 'error'),
      warn: countOf(findings, 'warn'),
      info: countOf(findings, 'info'),
    },
    findings: findings.map(findingAsJson),
    notSeen,
    notes,
    ...(fix && { fix: fixAsJson(fix) }),
    ...(next !== undefined && { next }),
  };
}

function fixAsJson({ mended, left, found: _, ...fix }: FixReport) {
  return { ...fix, mended: mended.map(findingAsJson), left: left.map(findingAsJson) };
}

function findingAsJson(finding: LintFinding) {
  const { rule, level, file, origin, message, fix, registry } = finding;
  const { runtime, onlyOn, source, mend } = finding;
  return {
    ...{ rule, level, file, line: origin.line, column: origin.column, message, fix },
    ...{ registry, runtime, onlyOn, source: source?.text, canBeMended: mend !== undefined },
    explained: `docs/reference/mirror-rules.md#${rule.toLowerCase()}`,
  };
}
