import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { readOwnYaml } from './read-own-yaml.ts';
import { writeYaml } from './write-yaml.ts';
import { parseYaml } from './yaml-tree.ts';

const words = [
  'name',
  'a b',
  'sha256:ab',
  'linux/amd64',
  'yes',
  'null',
  '1.30',
  '',
  'a: b',
  '"',
  '\\',
];
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...words),
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test('what our writer writes is read as the same value', () => {
  fc.assert(
    fc.property(data, (value) => {
      const read = readOwnYaml(writeYaml(value, ['head']));
      assert.deepEqual(read, { value });
    }),
    { numRuns: 500 },
  );
});

test('text that somebody changed is left to the full parser, or has the same value for both', () => {
  const pieces = [
    ' ',
    '\n',
    '-',
    ':',
    ': ',
    '#',
    ' #',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '&a',
    '*a',
    '|',
    '>',
    '0',
    'x',
    '~',
    '? ',
    '---\n',
    '\t',
    '.',
    '!',
  ];
  let accepted = 0;
  fc.assert(
    fc.property(
      data,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', ...pieces),
      (value, seed, removed, inserted) => {
        const text = writeYaml(value);
        const at = seed % (text.length + 1);
        const changed = text.slice(0, at) + inserted + text.slice(at + removed);
        const own = readOwnYaml(changed);
        if (own === undefined) return;
        accepted += 1;
        const { trees, problems } = parseYaml(changed, 'f.yaml');
        assert.deepEqual([problems, own.value], [[], trees[0]?.value ?? null], changed);
      },
    ),
    { numRuns: 3000 },
  );
  assert.ok(accepted > 100, 'the property was tried on something');
});

for (const text of [
  'a: 1',
  'a: 1\na: 2\n',
  'a:\n  b: 1\n   c: 2\n',
  '- a\n-\n',
  'a: *x\n',
  'a: 010\n',
  'a:\n- b\n',
  '__proto__: {}\n',
  'a: 1\n# end\n',
  '\n',
  '',
]) {
  test(`${JSON.stringify(text)} is left to the full parser`, () => {
    assert.equal(readOwnYaml(text), undefined);
  });
}
