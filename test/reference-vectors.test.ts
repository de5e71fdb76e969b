import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { checksOf } from './conformance/vectors/checks.ts';

const text = readFileSync(new URL('../src/oci/testdata/references.json', import.meta.url), 'utf8');

for (const check of checksOf(text, 'references.json')) {
  test(`${check.id} is read as the real parsers read it`, () => {
    assert.deepEqual(check.run(), []);
  });
}

const vector = {
  id: 'x',
  input: 'quay.io/a:1',
  valid: true,
  normalized: {
    domain: 'quay.io',
    path: 'a',
    tag: '1',
    string: 'quay.io/a:1',
    familiar: 'quay.io/a:1',
  },
  pull_as: 'quay.io/a:1',
  registry_key: 'quay.io',
  parse_without_defaults: { domain: 'quay.io', path: 'a', tag: '1' },
  podman_short_name: false,
  kubelet: { repo: 'quay.io/a', tag: '1', digest: '' },
};

function problemsOf(vectors: unknown[], rest: object = {}): string[] {
  const file = { format: 'reference-vectors/1', vectors, ...rest };
  return checksOf(JSON.stringify(file), 'file').flatMap((check) => {
    const found = check.run();
    assert.ok(Array.isArray(found), 'references are compared at once');
    return found;
  });
}

test('a vector that agrees has no problems', () => {
  assert.deepEqual(problemsOf([vector]), []);
});

const wrong: ReadonlyArray<[field: string, value: unknown]> = [
  ['valid', false],
  ['error', 'invalid reference format'],
  ['normalized', { ...vector.normalized, familiar: 'a:1' }],
  ['pull_as', 'quay.io/a:latest'],
  ['registry_key', 'docker.io'],
  ['registry_key_containerd', 'docker.io'],
  ['parse_without_defaults', { path: 'a' }],
  ['parse_any', { string: 'a' }],
  ['podman_crio', { error: 'invalid reference format' }],
  ['podman_transport_error', 'no'],
  ['podman_short_name', null],
  ['kubelet', { ...vector.kubelet, tag: '2' }],
  ['ctr', { host: 'quay.io', path: 'a', object: '' }],
];
for (const [field, value] of wrong) {
  test(`a wrong ${field} is noticed`, () => {
    const problems = problemsOf([{ ...vector, [field]: value }]);

    assert.ok(
      problems.some((problem) => problem.startsWith(`${field}: expected`)),
      problems.join('\n'),
    );
  });
}

for (const field of ['normalized', 'pull_as', 'registry_key', 'kubelet'] as const) {
  test(`a missing ${field} is noticed`, () => {
    assert.notDeepEqual(problemsOf([{ ...vector, [field]: undefined }]), []);
  });
}

for (const [what, vectors, rest] of [
  ['an unknown field of a vector', [{ ...vector, resolver: 'x' }], {}],
  ['a vector that is no object', ['x'], {}],
  ['an unknown field of the file', [vector], { host_grammar: [] }],
  ['an unknown format', [vector], { format: 'reference-vectors/2' }],
  [
    'a mirror vector of an unknown runtime',
    [{ id: 'a', runtime: 'b' }],
    { format: 'mirror-vectors/1' },
  ],
] as const) {
  test(`${what} is a failure and not passed over`, () => {
    assert.match(problemsOf([...vectors], rest).join('\n'), /unknown shape/);
  });
}

test('a file with fewer vectors than it states fails', () => {
  assert.match(problemsOf([vector], { count: 2 }).join(), /states 2/);
});

test('wrong entries of the two grammars are noticed', () => {
  const rest = {
    domain_grammar: [{ host: 'a_b', matches_grammar: true }],
    identifier_grammar: [{ text: 'ab', is_64_hex_identifier: true }],
  };

  assert.equal(problemsOf([], rest).length, 2);
});
