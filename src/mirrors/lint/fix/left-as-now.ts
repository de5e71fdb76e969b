import type { LintFinding } from '../report/lint-finding.ts';
import type { FixPlan } from './plan-fix.ts';

/**
 * What a fix would leave, at its places in the files as they are: a line that is removed above it has not
 * moved it yet. What only shows once other things are mended has no line in them, and names its file only.
 */
export function leftAsNow({ found, mended, left }: FixPlan): readonly LintFinding[] {
  const unused = found.filter((one) => !mended.includes(one));
  return left.map((after) => {
    const at = unused.findIndex((now) => isSame(now, after));
    const [now] = at === -1 ? [] : unused.splice(at, 1);
    return now ?? withoutPlace(after);
  });
}

function isSame(a: LintFinding, b: LintFinding): boolean {
  return a.rule === b.rule && a.runtime === b.runtime && a.message === b.message;
}

function withoutPlace({ source: _, replacements: __, ...rest }: LintFinding): LintFinding {
  const { file } = rest.origin;
  return file === undefined ? rest : { ...rest, origin: { file } };
}
