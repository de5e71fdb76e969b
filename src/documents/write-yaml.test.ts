import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { writeYaml } from './write-yaml.ts';

test('a document reads like one that a person wrote', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const text = writeYaml(
    {
      kind: 'Lock',
      metadata: { name: 'openfuyao', version: '26.3' },
      missing: undefined,
      spec: {
        platforms: ['linux/amd64'],
        movingTag: false,
        empty: [],
        none: {},
        images: [
          {
            name: 'registry.k8s.io/pause:3.9',
            because: 'the sandbox of every pod',
            layers: [
              { digest, size: 12, mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip' },
            ],
          },
        ],
      },
    },
    ['Written by slipway plan.', '', 'Do not edit.'],
  );

  assert.equal(
    text,
    `# Written by slipway plan.
#
# Do not edit.
kind: Lock
metadata:
  name: openfuyao
  version: "26.3"
spec:
  platforms:
    - linux/amd64
  movingTag: false
  empty: []
  none: {}
  images:
    - name: registry.k8s.io/pause:3.9
      because: the sandbox of every pod
      layers:
        - {digest: ${digest}, size: 12, mediaType: application/vnd.oci.image.layer.v1.tar+gzip}
`,
  );
});

const quoted = [
  '',
  ' a',
  'a ',
  'a: b',
  'a #b',
  'a, b',
  '1.30',
  '0755',
  '3.5.12-0',
  'yes',
  'NO',
  'null',
  '~',
  '-',
  '- a',
  '*a',
  '&a',
  '!a',
  '{a}',
  '[a]',
  '# a',
  'a:',
  ':a',
  '"',
  "'",
  'a\nb',
  'ü',
  '\u0085',
  '\uFEFF',
  '2026-11-30',
  '.inf',
  '0x1f',
];

for (const text of quoted) {
  test(`${JSON.stringify(text)} is quoted, and read as the same text by YAML 1.1 and 1.2`, () => {
    const written = writeYaml([text, { key: text }]);

    assert.match(written, /^- "/);
    assert.deepEqual(parse(written), [text, { key: text }]);
    assert.deepEqual(parse(written, { version: '1.1' }), [text, { key: text }]);
  });
}

test('what is written is read back as the same value', () => {
  const data = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom(
        'a b',
        'linux/amd64',
        'yes',
        '1e3',
        'a:b',
        'a: b',
        '<<',
        '=',
        'x\ty',
        '01:30',
      ),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(data, (value) => {
      const text = writeYaml(value);
      // Objects of fast-check may have no prototype; those of the parser have one.
      assert.equal(JSON.stringify(parse(text, { uniqueKeys: false })), JSON.stringify(value));
    }),
    { numRuns: 500 },
  );
});

test('what YAML has no form for is refused', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol('x')]) {
    assert.throws(() => writeYaml({ value }), TypeError);
  }
});
