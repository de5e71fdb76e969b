import type { ErrorCategory } from '../shared/errors.ts';
import { categoryOf, SlipwayError } from '../shared/errors.ts';

/** One artefact that failed, and why. */
export interface ItemFailure {
  readonly name: string;
  readonly error: unknown;
}

/** Artefacts that failed for one reason, with the words of the first of them. */
export interface FailureGroup {
  readonly code: string;
  readonly category: ErrorCategory;
  readonly message: string;
  readonly fix: string;
  /** Without duplicates, in the order in which they failed. */
  readonly names: readonly string[];
}

/** More names than these are counted; all of them are in the JSON. */
const shownNames = 4;

/**
 * Puts failures of one kind together: a registry that is down is one cause, not one for each name.
 * Errors are of one kind when they have one code, one piece of advice and one host, the places to mend.
 */
export function groupFailures(failures: readonly ItemFailure[]): readonly FailureGroup[] {
  const groups = Map.groupBy(failures, ({ error }) => keyOf(error));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { error } = first;
    const isOurs = error instanceof SlipwayError;
    return {
      code: isOurs ? error.code : 'INTERNAL',
      category: categoryOf(error),
      message: error instanceof Error ? error.message : String(error),
      fix: isOurs ? error.fix : 'Run the command again with --debug and report what it prints.',
      names: [...new Set(group.map(({ name }) => name))],
    };
  });
}

/**
 * The groups as lines below a headline:
 * ```text
 *   127.0.0.1:5000 (target) cannot be reached: nothing listens on this port  REGISTRY_UNREACHABLE
 *         for  platform/pause:3.9, platform/etcd:3.5.12-0 and 7 more
 *         do   Check that the registry runs and listens on this port.
 * ```
 */
export function formatGroups(groups: readonly FailureGroup[]): string {
  return groups
    .map(({ code, message, fix, names }) =>
      [`  ${message}  ${code}`, `        for  ${listNames(names)}`, `        do   ${fix}`].join(
        '\n',
      ),
    )
    .join('\n');
}

function listNames(names: readonly string[]): string {
  const rest = names.length - shownNames;
  const shown = names.slice(0, shownNames).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function keyOf(error: unknown): string {
  if (!(error instanceof SlipwayError)) return String(error);
  const { code, fix, data } = error;
  return JSON.stringify([code, fix, ...hostsIn(data)]);
}

/** Who was asked, for whom: `['registry.k8s.io', 'mirror.example:443']`; empty if the error is not about hosts. */
function hostsIn(data: unknown): readonly unknown[] {
  if (typeof data !== 'object' || data === null || !('registry' in data)) return [];
  return [data.registry, 'host' in data ? data.host : undefined];
}
