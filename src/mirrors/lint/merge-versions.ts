/** Findings of several versions of one runtime as one list. */

import { type Finding, type FindingLevel, formatOrigin } from '../finding.ts';

/** One finding of several versions; the newest one's words count, and the worst level. */
export interface MergedFinding {
  finding: Finding;
  level: FindingLevel;
  readonly versions: Set<string>;
}

/**
 * A finding is the same on two versions if rule and place are, even where one of them says it in other
 * words; of several at one place those with the same words belong together first.
 */
export function mergeVersion(
  merged: MergedFinding[],
  found: readonly Finding[],
  version: string,
): void {
  const rest = found.filter((one) => !join(merged, one, version, isSaidAlike));
  for (const finding of rest) {
    if (join(merged, finding, version, () => true)) continue;
    merged.push({ finding, level: finding.level, versions: new Set([version]) });
  }
}

/** Adds a finding to one of an earlier version; false if there is none that fits. */
function join(
  merged: readonly MergedFinding[],
  finding: Finding,
  version: string,
  fits: (before: Finding, now: Finding) => boolean,
): boolean {
  const place = `${finding.rule} ${formatOrigin(finding.origin)}`;
  const before = merged.find(
    (one) =>
      !one.versions.has(version) &&
      `${one.finding.rule} ${formatOrigin(one.finding.origin)}` === place &&
      fits(one.finding, finding),
  );
  if (before === undefined) return false;
  before.finding = finding;
  before.level = worse(before.level, finding.level);
  before.versions.add(version);
  return true;
}

/** Some messages name the version. */
function isSaidAlike(a: Finding, b: Finding): boolean {
  return wordsOf(a) === wordsOf(b);
}

function wordsOf({ message }: Finding): string {
  return message.replaceAll(/v?\d+\.\d+\.\d+(?:[+-]\w+)?/g, '');
}

function worse(a: FindingLevel, b: FindingLevel): FindingLevel {
  const order: readonly FindingLevel[] = ['error', 'warn', 'info'];
  return order.indexOf(a) < order.indexOf(b) ? a : b;
}
