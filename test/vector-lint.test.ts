import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { parse } from 'yaml';
import type { Finding, FindingLevel } from '../src/mirrors/finding.ts';
import type { RuleId } from '../src/mirrors/finding-rules.ts';
import { compareLint } from './support/vector-lint.ts';

const finding = (rule: RuleId, level: FindingLevel): Finding => ({
  ...{ rule, level, about: 'registry rules', message: '', fix: '', origin: { file: '/x' } },
});
const listed = { id: 'containerd/seed-1.3-renamed-toml', lint: 'error+warn: two points' };
const asListed = [finding('C004', 'error'), finding('C006', 'warn'), finding('S001', 'warn')];

test('a vector of the table has exactly the rules and levels that stand there', () => {
  assert.deepEqual(compareLint(listed, asListed), []);
  assert.deepEqual(compareLint(listed, [...asListed, ...asListed]), []);
});

for (const [what, found] of [
  ['another rule', [finding('C003', 'error'), ...asListed.slice(1)]],
  ['another level', [...asListed.slice(0, 2), finding('S001', 'info')]],
  ['one more error', [...asListed, finding('C008', 'error')]],
  ['one more remark', [...asListed, finding('C005', 'info')]],
  ['one less', asListed.slice(0, 2)],
] as const) {
  test(`${what} than the table has is noticed`, () => {
    assert.match(compareLint(listed, found).join(), /^lint: expected .*, got /);
  });
}

test('the words of a vector count beside the table, for the versions that they are about', () => {
  const info = { ...listed, lint: 'info: another level' };

  assert.match(compareLint(info, asListed).join(), /expected info, got C004 error, C006 warn/);
  assert.deepEqual(compareLint(info, asListed, { isMeant: false }), []);
});

test('a vector that is not in the table has each level of its words, and no error beyond them', () => {
  const problems = (lint: string, ...levels: readonly FindingLevel[]) =>
    compareLint(
      { id: 'not there', lint },
      levels.map((level) => finding('C001', level)),
    ).join();

  assert.equal(problems('error+warn: text', 'error', 'warn'), '');
  assert.match(problems('error+warn: text', 'error'), /expected warn, got C001 error/);
  assert.match(problems('warn: text', 'info'), /expected warn/);
  assert.match(problems('warn: text', 'warn', 'error'), /expected no error/);
  assert.match(problems('info: text', 'info', 'error'), /expected no error/);
  assert.match(problems('ok: text', 'error'), /expected no error/);
  assert.equal(problems('ok: text', 'warn'), '');
  assert.match(problems('often: text', 'warn'), /unknown shape/);
});

test('the table has every recorded vector about lint, and no other', () => {
  const runtimes = ['containerd', 'docker', 'k3s', 'registries-conf'];
  const recorded = runtimes.flatMap((name) => {
    const url = new URL(`../src/mirrors/${name}/testdata/${name}.json`, import.meta.url);
    // The files are ours and have this shape.
    const { vectors } = JSON.parse(readFileSync(url, 'utf8')) as {
      readonly vectors: readonly { readonly id: string; readonly lint?: string }[];
    };
    return vectors.flatMap(({ id, lint }) => (lint === undefined ? [] : [id]));
  });
  const url = new URL('conformance/vectors/lint-rules.yaml', import.meta.url);
  // Its shape is checked where it is used.
  const table = parse(readFileSync(url, 'utf8')) as Readonly<Record<string, unknown>>;

  assert.deepEqual(Object.keys(table).sort(), recorded.sort());
});
