/** Findings of several versions of one runtime as one list. */

import { type Finding, type FindingLevel, findingKey } from '../../finding.ts';

/** One finding of several versions; the newest one's words count. */
export interface MergedFinding {
  finding: Finding;
  /** How bad it is on each version that has it. */
  readonly levels: Map<string, FindingLevel>;
}

/**
 * Findings of one version after the other. A finding is the same on two versions if rule and place are, even
 * where one of them says it in other words; of several at one place those with the same words belong
 * together first.
 */
export class MergedVersions {
  readonly #byPlace = new Map<string, MergedFinding[]>();

  add(found: readonly Finding[], version: string): void {
    const rest = found.filter((one) => !this.#join(one, version, isSaidAlike));
    for (const finding of rest) {
      if (this.#join(finding, version, () => true)) continue;
      const one = { finding, levels: new Map([[version, finding.level]]) };
      const there = this.#byPlace.get(findingKey(finding));
      if (there === undefined) this.#byPlace.set(findingKey(finding), [one]);
      else there.push(one);
    }
  }

  all(): readonly MergedFinding[] {
    return [...this.#byPlace.values()].flat();
  }

  /** Adds a finding to one of an earlier version; false if there is none that fits. */
  #join(
    finding: Finding,
    version: string,
    fits: (before: Finding, now: Finding) => boolean,
  ): boolean {
    const before = this.#byPlace
      .get(findingKey(finding))
      ?.find((one) => !one.levels.has(version) && fits(one.finding, finding));
    if (before === undefined) return false;
    before.finding = finding;
    before.levels.set(version, finding.level);
    return true;
  }
}

/** Some messages name the version. */
function isSaidAlike(a: Finding, b: Finding): boolean {
  return wordsOf(a) === wordsOf(b);
}

function wordsOf({ message }: Finding): string {
  return message.replaceAll(/v?\d+\.\d+\.\d+(?:[+-]\w+)?/g, '');
}
