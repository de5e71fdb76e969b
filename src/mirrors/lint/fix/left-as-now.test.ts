import assert from 'node:assert/strict';
import test from 'node:test';
import type { LintFinding } from '../report/lint-finding.ts';
import { leftAsNow } from './left-as-now.ts';

function finding(rule: LintFinding['rule'], line: number): LintFinding {
  const file = 'hosts.toml';
  const base = { rule, level: 'warn', about: 'registry rules', message: 'm', fix: 'f' } as const;
  return { ...base, file, origin: { file, line } };
}

const plan = { edits: [], renames: [] };

test('what is left stands where it is in the file now, not where it will be', () => {
  const [mended, moved, other] = [finding('C004', 1), finding('C005', 7), finding('C005', 9)];
  const left = [finding('C005', 5), finding('C005', 7)];

  const now = leftAsNow({ ...plan, found: [mended, moved, other], mended: [mended], left });

  assert.deepEqual(
    now.map(({ origin }) => origin.line),
    [7, 9],
  );
});

test('what only shows after a change names no line of the file as it is', () => {
  const mended = finding('C004', 1);

  const now = leftAsNow({ ...plan, found: [mended], mended: [mended], left: [finding('C008', 3)] });

  assert.deepEqual(
    now.map(({ rule, origin }) => [rule, origin]),
    [['C008', { file: 'hosts.toml' }]],
  );
});
