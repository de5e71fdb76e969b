import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';
import { plainRegistries } from '../../../test/support/k3s-plain.ts';
import { readRegistries } from './registries-file.ts';

// The same and a thousand more are compared with gopkg.in/yaml.v2 in test/oracles/k3s/yaml.test.ts.
const read: ReadonlyArray<readonly [what: string, text: string, values: unknown]> = [
  ['no text', '', {}],
  ['only null', 'mirrors: ~\n', {}],
  [
    'numbers and words as text',
    'mirrors: {a: {endpoint: [1, 0x10, yes, 2024-01-02]}}\n',
    { mirrors: { a: { endpoint: ['1', '0x10', 'yes', '2024-01-02'] } } },
  ],
  [
    'two sections of one name, added',
    'mirrors: {a: {endpoint: [x]}}\nmirrors: {b: {endpoint: [y]}}\n',
    { mirrors: { a: { endpoint: ['x'] }, b: { endpoint: ['y'] } } },
  ],
  [
    'the last of two registries',
    'mirrors:\n  a: {endpoint: [x]}\n  a: {rewrite: {p: q}}\n',
    { mirrors: { a: { rewrite: { p: 'q' } } } },
  ],
  [
    'merged settings, in the order of the text',
    'x: &m {endpoint: [a]}\nmirrors:\n  c: {endpoint: [b], <<: *m}\n',
    { mirrors: { c: { endpoint: ['a'] } } },
  ],
  [
    'an empty tls, which counts as one',
    'configs: {h: {tls: {}}}\n',
    { configs: { h: { tls: {} } } },
  ],
  ['a null tls, which does not', 'configs: {h: {tls: ~}}\n', { configs: { h: {} } }],
];

for (const [what, text, values] of read) {
  test(`reads ${what}, as yaml.v2 does`, () => {
    const file = readRegistries(text);
    assert.ok(file.kind === 'read');
    assert.deepEqual(plainRegistries(file.registries), values);
  });
}

const refused: ReadonlyArray<readonly [text: string, error: string]> = [
  [
    'mirrors:\n  *:\n    endpoint: [a]\n',
    'line 2: did not find expected alphabetic or numeric character',
  ],
  ['mirrors:\n\ta:\n', 'line 2: found character that cannot start any token'],
  ['mirrors: *none\n', "unknown anchor 'none' referenced"],
  ['mirrors: {c: {<<: 1}}\n', 'map merge requires map or sequence of maps as the value'],
  ['configs: {h: {auth: {password: !!int abc}}}\n', 'cannot decode !!str `abc` as a !!int'],
  [
    'configs:\n  h:\n    auth: "null"\n    tls:\n      insecure_skip_verify: 1\n',
    'unmarshal errors:\n  line 3: cannot unmarshal !!str `null` into *registries.AuthConfig\n  line 5: cannot unmarshal !!int `1` into bool',
  ],
];

for (const [text, error] of refused) {
  test(`refuses ${JSON.stringify(text)} in Go's own words`, () => {
    const file = readRegistries(text);
    assert.ok(file.kind === 'refused');
    assert.equal(file.error, `yaml: ${error}`);
  });
}

test('secrets do not print', () => {
  const file = readRegistries('configs: {h: {auth: {username: u, password: hunter2}}}\n');

  assert.doesNotMatch(inspect(file, { depth: null }), /hunter2/);
});

test('each part knows its place', () => {
  const file = readRegistries(
    'mirrors:\n  a:\n    endpoint:\n      - x\n    rewrite:\n      p: q\n',
  );

  assert.ok(file.kind === 'read');
  const mirror = file.registries.mirrors.get('a');
  const lines = [mirror?.at, mirror?.endpoints[0]?.at, mirror?.rewrites.get('p')?.at];
  assert.deepEqual(
    lines.map((at) => `${at?.line}:${at?.column}`),
    ['2:3', '4:9', '6:7'],
  );
});
