/** Wrong configurations and their corrected twins, one pair for each rule of a runtime (issue 4, "Done when"). */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Finding, formatOrigin } from '../../src/mirrors/finding.ts';
import type { RuleGroup, RuleId } from '../../src/mirrors/finding-rules.ts';
import { type MendedFiles, mendFiles } from '../../src/mirrors/lint/mend-files.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import { type Overlay, overlayTree } from '../../src/mirrors/overlay-tree.ts';
import type { LintedSite, RuntimeRules } from '../../src/mirrors/runtime-rules.ts';

type Files = Readonly<Record<string, string>>;

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

/** The cases of one runtime. */
export interface LintCases {
  readonly runtime: string;
  open(version: string | undefined): Promise<RuntimeRules>;
  /** A rule without a case does not compile. */
  readonly cases: readonly LintCase[];
  /** Undefined where they cannot stand together: two versions, or one that hides all others. */
  combine(cases: readonly LintCase[]): CombinedCase | undefined;
}

/** Tests every case, its twin, and wrong configurations three at a time. */
export function testLintCases({ runtime, open, cases, combine }: LintCases): void {
  const lint = async (files: Files, { version, mode = 'online' }: Partial<LintCase>) =>
    (await open(version)).lint(memoryTree(files), { mode });

  for (const one of cases) {
    test(`${runtime}: ${one.rule} at ${one.at}: ${one.what}`, async () => {
      assertFound(await lint(one.wrong, one), one.rule, one.at);
    });
    test(`${runtime}: nothing is found once ${one.rule} is mended: ${one.what}`, async () => {
      assert.deepEqual((await lint(one.right, one)).map(said), []);
    });
  }

  test(`${runtime}: a safe change takes its finding away, brings nothing new, and is done once`, async () => {
    for (const one of cases) {
      const files = memoryTree(one.wrong);
      const rules = await open(one.version);
      const lintChanged = (changes: Overlay) =>
        rules.lint(overlayTree(files, changes), { mode: one.mode ?? 'online' });
      const ports = { base: files, lint: lintChanged, mayBeNamed: () => true };

      assertMended(await mendFiles(ports), one);
    }
  });

  test(`${runtime}: three wrong configurations at a time still give each rule at its line`, async () => {
    const runs = 150;
    const some = fc.subarray([...cases], { minLength: 3, maxLength: 3 });
    let combined = 0;
    for (const three of fc.sample(some, { seed: 4, numRuns: runs })) {
      const together = combine(three);
      if (together === undefined) continue;
      combined += 1;
      const [version] = three.flatMap((one) => one.version ?? []);
      const [mode] = three.flatMap((one) => one.mode ?? []);
      const found = await lint(together.files, {
        ...(version && { version }),
        ...(mode && { mode }),
      });
      for (const [index, { rule }] of three.entries()) {
        assertFound(found, rule, together.at[index] ?? '');
      }
    }
    assert.ok(combined * 2 > runs, `only ${combined} of ${runs} could be combined`);
  });
}

/** Fails with the rules that have no case. */
export function assertEveryRule(
  cases: readonly LintCase[],
  group: RuleGroup,
  ids: readonly RuleId[],
) {
  const missing = ids.filter((id) => cases.every(({ rule }) => rule !== id));
  assert.deepEqual(missing, [], `rules of ${group} without a case`);
}

function assertFound(findings: readonly Finding[], rule: RuleId, at: string): void {
  const there = findings.map(said);
  // A case may leave the column out.
  assert.ok(
    there.some((text) => text === `${rule} ${at}` || text.startsWith(`${rule} ${at}:`)),
    `no ${rule} at ${at}, but ${there.join(', ') || 'nothing'}`,
  );
}

/** What is left was there before, and nothing of it could be mended. */
function assertMended(
  { found, mended, left }: MendedFiles<Finding>,
  { rule, what }: LintCase,
): void {
  const textOf = (one: Finding) => `${one.rule} ${one.message}`;
  const before = new Set(found.map((one) => one.rule));
  const about = `${rule}, ${what}`;
  assert.deepEqual(left.filter((one) => !before.has(one.rule)).map(said), [], `new after ${about}`);
  const mendable = left.filter(({ mend }) => mend !== undefined).map(said);
  assert.deepEqual(mendable, [], `mended and found again: ${about}`);
  const rest = left.filter((one) => mended.some((done) => textOf(done) === textOf(one))).map(said);
  assert.deepEqual(rest, [], `not gone after ${about}`);
}

function said({ rule, origin }: Finding): string {
  return `${rule} ${formatOrigin(origin)}`;
}
