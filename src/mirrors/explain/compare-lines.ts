import type { Explanation } from './explanation.ts';

/** Versions that do the same, and what that is. */
export interface LineGroup {
  /** `containerd@1.6.39`, oldest first. */
  readonly runtimes: readonly string[];
  readonly explanation: Explanation;
}

/**
 * Explanations of one image by several versions → those that differ in what is sent, or in how the pull
 * goes on after an answer; the newest group first. One group when all agree.
 */
export function compareLines(explanations: readonly Explanation[]): readonly LineGroup[] {
  const groups = Map.groupBy(explanations, behaviourOf);
  return Array.from(groups.values(), (group) => {
    const newest = group.at(-1);
    if (newest === undefined) throw new TypeError('a group has a member');
    return { runtimes: group.map(({ runtime }) => runtime), explanation: newest };
  }).sort((a, b) => latest(b, explanations) - latest(a, explanations));
}

function latest({ explanation }: LineGroup, all: readonly Explanation[]): number {
  return all.indexOf(explanation);
}

/** What counts as a difference: neither the words of an error nor findings do. */
function behaviourOf({ answer, requests, fetch, dead }: Explanation): string {
  const kind = answer.kind === 'refused' ? 'refused' : answer;
  return JSON.stringify([kind, requests, fetch, dead]);
}
