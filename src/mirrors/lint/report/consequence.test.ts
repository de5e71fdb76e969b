import assert from 'node:assert/strict';
import test from 'node:test';
import { loadFindingRules, type RuleId } from '../../finding-rules.ts';
import { consequenceOf } from './consequence.ts';
import type { LintFinding } from './lint-finding.ts';

const { all: rules } = await loadFindingRules();

function found(
  rule: RuleId,
  registry: string | undefined,
  more: Partial<LintFinding> = {},
): LintFinding {
  const base = { rule, level: 'error', about: 'registry rules', message: 'm', fix: 'f' } as const;
  const file = '/etc/containerd/certs.d/elsewhere.example/hosts.toml';
  return { ...base, ...(registry && { registry }), file, origin: { file }, ...more };
}

test('errors that let pulls pass the mirrors name their registries', () => {
  const findings = [found('C001', 'quay.io'), found('C002', 'reg.example:5000')];

  assert.equal(
    consequenceOf(findings, rules, { mode: 'offline' }),
    'pulls of quay.io and reg.example:5000 leave the site',
  );
  assert.equal(
    consequenceOf([found('C001', '*')], rules, { mode: 'online' }),
    'pulls of every other registry go past the mirrors',
  );
});

test('no registry is named where one of the findings is about none alone, whatever its path says', () => {
  const findings = [found('C001', 'quay.io'), found('C018', undefined)];

  assert.equal(consequenceOf(findings, rules, { mode: 'online' }), 'pulls go past the mirrors');
});

test('the worst effect counts', () => {
  const findings = [found('C001', 'quay.io'), found('C010', 'ghcr.io'), found('C019', undefined)];

  assert.equal(consequenceOf(findings, rules, { mode: 'online' }), 'nothing can be pulled');
  assert.equal(
    consequenceOf(findings.slice(0, 2), rules, { mode: 'online' }),
    'pulls of ghcr.io fail',
  );
});

test('an effect on some versions says on which, unless the same holds for all elsewhere', () => {
  const some = found('C021', 'ghcr.io', { onlyOn: 'containerd 1.6' });

  assert.equal(
    consequenceOf([some], rules, { mode: 'online' }),
    'on containerd 1.6 pulls of ghcr.io go past the mirrors',
  );
  assert.equal(
    consequenceOf([some, found('C001', 'quay.io')], rules, { mode: 'online' }),
    'pulls of quay.io go past the mirrors',
  );
});

test('warnings and rules without an effect of their own say nothing about pulls', () => {
  const findings = [found('C005', 'a.example', { level: 'warn' }), found('C003', 'a')];

  assert.equal(consequenceOf(findings, rules, { mode: 'online' }), undefined);
});
