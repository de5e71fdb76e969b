/** A wrong configuration with its corrected twin, and how several become one. */

import { type Finding, formatOrigin } from '../../src/mirrors/finding.ts';
import type { RuleId } from '../../src/mirrors/finding-rules.ts';
import type { LintedSite } from '../../src/mirrors/runtime-rules.ts';

/** Path → content. */
export type Files = Readonly<Record<string, string>>;

/** A configuration that breaks one rule. */
export interface LintCase {
  /** What is wrong, for the name of the test. */
  readonly what: string;
  readonly rule: RuleId;
  readonly wrong: Files;
  /** The same configuration as it should be: nothing at all is found in it. */
  readonly right: Files;
  /** Where the finding stands: `/etc/containerd/certs.d/a.example/hosts.toml:3`. */
  readonly at: string;
  /** Of the runtime, where the rule holds only for some. */
  readonly version?: string;
  readonly mode?: LintedSite['mode'];
}

/** Several wrong configurations as one, with the place of each finding in it. */
export interface CombinedCase {
  readonly files: Files;
  readonly at: readonly string[];
}

/** What of a case is written: the mistakes, or what should stand there. */
export type Side = 'wrong' | 'right';

/** Whether it is this rule at this place, which may leave the column out. */
export function isAt(finding: Finding, rule: RuleId, at: string): boolean {
  const text = said(finding);
  return text === `${rule} ${at}` || text.startsWith(`${rule} ${at}:`);
}

/** `K001 /etc/rancher/k3s/registries.yaml:2:5`. */
export function said({ rule, origin }: Finding): string {
  return `${rule} ${formatOrigin(origin)}`;
}

/** Files of several cases; undefined where two want one file in two ways. */
export function joinFiles(all: readonly Files[]): Record<string, string> | undefined {
  const joined: Record<string, string> = {};
  for (const [path, text] of all.flatMap((files) => Object.entries(files))) {
    if ((joined[path] ?? text) !== text) return undefined;
    joined[path] = text;
  }
  return joined;
}

/** Only some of its files. */
export function pickFiles(
  { wrong, right }: Pick<LintCase, Side>,
  isWanted: (path: string) => boolean,
): Pick<LintCase, Side> {
  const pick = (files: Files): Files =>
    Object.fromEntries(Object.entries(files).filter(([path]) => isWanted(path)));
  return { wrong: pick(wrong), right: pick(right) };
}
