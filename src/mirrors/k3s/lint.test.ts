import assert from 'node:assert/strict';
import test from 'node:test';
import { joinK3s } from '../../../test/support/k3s-join-cases.ts';
import { CONFIG, type K3sCase, REGISTRIES } from '../../../test/support/k3s-lint-case.ts';
import { cases } from '../../../test/support/k3s-lint-cases.ts';
import { type LintCase, pickFiles, type Side } from '../../../test/support/lint-case.ts';
import { assertEveryRule, testLintCases } from '../../../test/support/lint-cases.ts';
import { formatOrigin } from '../finding.ts';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';

const VERSION = 'v1.31.4+k3s1';

testLintCases({
  runtime: 'k3s',
  open: (version = VERSION) => openRuntime({ name: 'k3s', version }),
  cases,
  combine: joinK3s,
  settings: optionsOf,
});

test('every rule of k3s has a wrong file and its corrected twin', () => {
  const ids = ['K001', 'K002', 'K003', 'K004', 'K005', 'K006', 'K007', 'K008', 'K009'] as const;
  assertEveryRule(cases, 'k3s', ids);
  assertEveryRule(cases, 'containerd', [
    'C001',
    'C008',
    'C009',
    'C010',
    'C012',
    'C019',
    'C023',
    'C024',
  ]);
  assertEveryRule(cases, 'any-runtime', ['S001']);
});

test('RKE2 reads a file of its own', async () => {
  const rke2 = await openRuntime({ name: 'rke2', version: 'v1.31.4+rke2r1' });
  const tree = memoryTree({
    '/etc/rancher/rke2/registries.yaml': 'mirrros: {}\n',
    [REGISTRIES]: 'mirors: {}\n',
  });

  const found = await rke2.lint(tree, { mode: 'online' });

  assert.deepEqual(
    found.map(({ rule, origin }) => `${rule} ${formatOrigin(origin)}`),
    ['K001 /etc/rancher/rke2/registries.yaml:1:1'],
  );
});

test('offline a registry that is known to be needed and has no rules is named', async () => {
  const k3s = await openRuntime({ name: 'k3s', version: VERSION });
  const tree = memoryTree({
    [REGISTRIES]: 'mirrors:\n  docker.io:\n    endpoint: ["https://m.example"]\n',
    '/etc/rancher/k3s/config.yaml': 'disable-default-registry-endpoint: true\n',
  });

  const found = await k3s.lint(tree, {
    mode: 'offline',
    registries: ['docker.io', 'quay.io', 'ghcr.io'],
  });

  assert.match(found.map(({ message }) => message).join(), /quay\.io, ghcr\.io.*asked directly/);
});

/** Options of k3s, and what it generated before: that belongs to the file that it was generated from. */
function optionsOf(one: K3sCase): Pick<LintCase, Side> {
  const isGenerated = (path: string) => path.endsWith('/hosts.toml');
  const hasSource = Object.keys(one.wrong).some(isGenerated);
  return pickFiles(
    one,
    (path) => path === CONFIG || isGenerated(path) || (hasSource && path === REGISTRIES),
  );
}
