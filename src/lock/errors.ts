import type { Problem } from '../documents/problem.ts';
import { defineError, type ErrorCategory } from '../shared/errors.ts';
import { formatCount } from '../shared/quantities.ts';

/** Everything that kept a plan from becoming a Lock, and who has to act on the worst of it. */
interface PlanProblems {
  readonly problems: readonly Problem[];
  readonly category: ErrorCategory;
}

/** The errors of planning; docs/reference/errors.md explains each. */

export const ManifestUnusable = defineError<{ label: string; reason: string }>({
  code: 'MANIFEST_UNUSABLE',
  category: 'remote',
  message: ({ label, reason }) => `${label}: ${reason}`,
  fix: () => 'List an image or a chart there, or build this artefact again as an image manifest.',
  retry: false,
});

/** The documents ask for something that is not allowed or not there; all of it at once. */
export const PlanRefused = defineError<PlanProblems>({
  code: 'PLAN_REFUSED',
  category: 'input',
  categoryOf: ({ category }) => category,
  message: ({ problems }) => `${formatCount(problems.length, 'problem')}, no Lock was written`,
  fix: () => 'Correct the places that are named, then plan again.',
  retry: false,
});

/** Registries did not answer, or not with what the Release names; the documents are in order. */
export const PlanUnresolved = defineError<PlanProblems>({
  code: 'PLAN_UNRESOLVED',
  category: 'remote',
  categoryOf: ({ category }) => category,
  message: ({ problems }) =>
    `${formatCount(problems.length, 'artefact')} could not be resolved, no Lock was written`,
  fix: () => 'Mend the cause and plan again; what was read is kept.',
  retry: true,
});

/** `plan --offline` where no plan was made before. */
export const PlanWithoutLock = defineError<{ path: string }>({
  code: 'PLAN_WITHOUT_LOCK',
  category: 'input',
  message: ({ path }) => `there is no ${path}, and --offline takes everything from it`,
  fix: () =>
    'Plan once without --offline where the registries can be reached, or name the earlier Lock with --output.',
  retry: false,
});

/** The policy forbids what the Lock, made with an earlier one, lets travel. */
export const LockOutdated = defineError<{
  policyFile: string;
  artefacts: readonly {
    readonly name: string;
    readonly before: string;
    readonly now: string;
    readonly because?: string | undefined;
  }[];
}>({
  code: 'LOCK_OUTDATED',
  category: 'refused',
  message: ({ policyFile, artefacts }) => {
    const lines = artefacts.map(
      ({ name, before, now, because }) =>
        `\n  ${name}  ${before} → ${now}${because === undefined ? '' : `: ${because}`}`,
    );
    return `${policyFile} does not let everything travel that the Lock, made before, does:${lines.join('')}`;
  },
  fix: ({ policyFile }) =>
    `Plan again with ${policyFile}, or give the policy that the Lock was made with.`,
  retry: false,
});

/** Something else lies where a plan keeps what it reads. */
export const PlanPartialForeign = defineError<{ path: string; why: string }>({
  code: 'PLAN_PARTIAL_FOREIGN',
  category: 'input',
  message: ({ path, why }) =>
    `${path} is where an unfinished plan would lie, and something else is there: ${why}`,
  fix: ({ path }) => `Move it away (mv ${path} ${path}.kept), or give another Lock with --output.`,
  retry: false,
});
