/** Decides which safe changes mend what was found in a job, and looks at the result; writes nothing. */

import { linkAt } from '../../write/found-files.ts';
import type { LintJob } from '../lint-job.ts';
import type { LintFinding } from '../report/lint-finding.ts';
import type { FileNames } from '../units/lint-unit.ts';
import { type MendedFiles, mendFiles } from './mend-files.ts';

/** What a fix does to the files of one job, with the findings under the user's names. */
export type FixPlan = MendedFiles<LintFinding>;

/** A file that is left as it is, since a link stands in its place: what it leads to may have other readers. */
export interface LeftLink {
  /** As the user calls it. */
  readonly file: string;
  /** Where the link leads, as it is written. */
  readonly to: string;
}

/** A plan, and the files that it would change if they were no links. */
export interface PlannedFix extends FixPlan {
  readonly links: readonly LeftLink[];
}

/** Mends until nothing that can be mended is found any more, or until another round changes nothing. */
export async function planFix(job: LintJob): Promise<PlannedFix> {
  const links = new Map<string, LeftLink>();
  const mendable = async (found: LintFinding): Promise<LintFinding> => {
    const link = await linkInPlace(found, job.names);
    if (link === undefined) return found;
    links.set(link.file, link);
    const { mend: _, ...rest } = found;
    return rest;
  };
  const plan = await mendFiles<LintFinding>({
    base: await job.base(),
    lint: async (changes) => Promise.all((await job.lint(changes)).map(mendable)),
    mayBeNamed: (path) => job.names.writePath(path) !== undefined,
  });
  return { ...plan, links: [...links.values()] };
}

async function linkInPlace({ mend }: LintFinding, names: FileNames): Promise<LeftLink | undefined> {
  const target = mend?.kind === 'edit' ? names.writePath(mend.path) : undefined;
  if (mend === undefined || target === undefined) return undefined;
  const to = await linkAt(names.writeRoot, target);
  return to === undefined ? undefined : { file: names.shownAs(mend.path) ?? mend.path, to };
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
