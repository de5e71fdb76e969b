/** Wrong configurations and their corrected twins, one pair for each rule of a runtime (issue 4, "Done when"). */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Finding } from '../../src/mirrors/finding.ts';
import type { RuleGroup, RuleId } from '../../src/mirrors/finding-rules.ts';
import { type MendedFiles, mendFiles } from '../../src/mirrors/lint/fix/mend-files.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import { type Overlay, overlayTree } from '../../src/mirrors/overlay-tree.ts';
import type { RuntimeRules } from '../../src/mirrors/runtime-rules.ts';
import {
  type CombinedCase,
  type Files,
  isAt,
  type LintCase,
  type Side,
  said,
} from './lint-case.ts';
import { type LintedUnder, type Triple, type TripleChoice, tripleWith } from './lint-triples.ts';

/** The cases of one runtime. */
export interface LintCases<One extends LintCase> {
  readonly runtime: string;
  open(version: string | undefined): Promise<RuntimeRules>;
  /** That each rule has one is checked by {@link assertEveryRule}. */
  readonly cases: readonly One[];
  /** Undefined where one file cannot hold them all. The places are those of the wrong side. */
  combine(cases: readonly One[], side: Side): CombinedCase | undefined;
  /** What of a case holds for the whole node, and so for every case beside it: options, `_default`. */
  settings?(one: One): Pick<LintCase, Side> | undefined;
}

/** Tests every case, its twin, and both with two others beside them. */
export function testLintCases<One extends LintCase>(suite: LintCases<One>): void {
  const { runtime, open, cases } = suite;
  const lint = async (files: Files, { version, mode = 'online' }: LintedUnder) =>
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

  const triplesOf = (side: Side) =>
    everyTriple({ settings: () => undefined, ...suite, side, lint });

  test(`${runtime}: three wrong configurations at a time still give each rule at its line`, async () => {
    for (const three of await triplesOf('wrong')) {
      const found = await lint(three.files, three);
      for (const [index, { rule }] of three.cases.entries()) {
        assertFound(found, rule, three.at[index] ?? '');
      }
    }
  });

  test(`${runtime}: nothing is found in three corrected configurations at a time`, async () => {
    for (const three of await triplesOf('right')) {
      const found = await lint(three.files, three);
      assert.deepEqual(found.map(said), [], three.cases.map(nameOf).join(' + '));
    }
  });
}

/** One for each case; fails with those that no two others can stand beside. */
async function everyTriple<One extends LintCase>(choice: TripleChoice<One>): Promise<Triple[]> {
  const triples: Triple[] = [];
  const left: string[] = [];
  for (const one of choice.cases) {
    const three = await tripleWith(one, choice);
    if (three === undefined) left.push(nameOf(one));
    else triples.push(three);
  }
  assert.deepEqual(left, [], 'in no combination');
  return triples;
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
  const there = findings.map(said).join(', ') || 'nothing';
  assert.ok(
    findings.some((finding) => isAt(finding, rule, at)),
    `no ${rule} at ${at}, but ${there}`,
  );
}

function nameOf({ rule, what }: LintCase): string {
  return `${rule}, ${what}`;
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
