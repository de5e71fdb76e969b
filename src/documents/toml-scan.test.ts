import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { scanToml } from './toml-scan.ts';

const sample = `# top
server = "https://a # not a comment"
list = [
  "x", # [not.a.header]
  "]",
]
text = """
[not.a.header]
"""
[host."https://[fd00::1]:5000"] # why
  capabilities = ["pull"]
[ host . 'https://m' . header ]
  "x-a" = 'b'
[[array]]
host."https://d".ca = "x"
inline = { a = { b = 1 } }
`;

test('headers come in file order with their parts, text and line', () => {
  const { headers } = scanToml(sample);

  assert.deepEqual(
    headers.map(({ kind, path, line, column }) => [kind, path.join('|'), line, column]),
    [
      ['table', 'host|https://[fd00::1]:5000', 10, 1],
      ['table', 'host|https://m|header', 12, 1],
      ['array-of-tables', 'array', 14, 1],
    ],
  );
  assert.equal(headers[0]?.raw, 'host."https://[fd00::1]:5000"');
});

test('keys carry the header above them, and strings and lists do not confuse the scan', () => {
  const { keys } = scanToml(sample);

  assert.deepEqual(
    keys.map(({ path, line }) => `${line} ${path.join('|')}`),
    [
      '2 server',
      '3 list',
      '7 text',
      '11 host|https://[fd00::1]:5000|capabilities',
      '13 host|https://m|header|x-a',
      '15 array|host|https://d|ca',
      '16 array|inline',
    ],
  );
  assert.deepEqual(
    keys.filter((key) => key.isInlineTable).map((key) => key.line),
    [16],
  );
});

test('a line break inside an inline table is seen, one inside a list is not', () => {
  const { keys } = scanToml('a = {\n b = 1\n}\nc = [\n 1,\n]\n');

  assert.deepEqual(
    keys.map((key) => key.hasLineBreakInTable),
    [true, false],
  );
});

test('escapes in quoted keys are resolved', () => {
  assert.deepEqual(scanToml('"a\\u0041\\t\\"" = 1\n').keys[0]?.path, ['aA\t"']);
});

const broken: ReadonlyArray<readonly [text: string, reason: RegExp, line: number, column: number]> =
  [
    ['[b\nc = 2\n', /header is not closed/, 2, 3],
    ['[[b] ]\n', /header is not closed/, 2, 4],
    ['[b] c\n', /text follows/, 2, 5],
    ['b = 2 c\n', /text follows/, 2, 7],
    ['b\n', /no = behind the key/, 2, 2],
    ['= 2\n', /a key is missing/, 2, 1],
    ['"""b""" = 2\n', /a key is missing/, 2, 1],
    ['b =\n', /a value is missing/, 2, 4],
    ['b = [1 2]\n', /a list is not closed/, 2, 8],
    ['b = {c = 1 d = 2}\n', /inline table is not closed/, 2, 12],
    ['b = "x\n"\n', /a quote is not closed/, 2, 5],
    ['b = "x\\\n"\n', /a quote is not closed/, 2, 5],
    ["b = '''x''\n", /three quotes are not closed/, 2, 5],
    [`b = ${'['.repeat(65)}${']'.repeat(65)}\n`, /more than 64 deep/, 2, 69],
    [`[${'b.'.repeat(64)}c]\n`, /more than 64 deep/, 2, 130],
  ];

for (const [text, reason, line, column] of broken) {
  test(`the scan stops with its reason and place at ${JSON.stringify(text.slice(0, 20))}`, () => {
    const { keys, stop } = scanToml(`a = 1\n${text}`);

    assert.deepEqual(keys[0]?.path, ['a']);
    assert.match(stop?.reason ?? '', reason);
    assert.deepEqual([stop?.line, stop?.column], [line, column]);
  });
}

test('offsets count a byte order mark, columns do not', () => {
  const scan = scanToml('\uFEFFa = 1\r\nb = 2 # c\r\n');

  assert.equal(scan.stop, undefined);
  assert.deepEqual(
    scan.keys.map(({ start, line, column }) => [start, line, column]),
    [
      [1, 1, 1],
      [8, 2, 1],
    ],
  );
  assert.deepEqual(scan.comments, [{ start: 14, end: 17, line: 2, column: 7 }]);
});

test('a name that stands twice points at its first place', () => {
  const { headers, keys } = scanToml('[a]\nb = 1\nb = 2\n[c]\n[a]\n[[d]]\n[[d]]\n[a.b]\n');

  assert.deepEqual(
    [...keys, ...headers].map(({ line, repeats }) => [line, repeats?.line]),
    [
      [2, undefined],
      [3, 2],
      [1, undefined],
      [4, undefined],
      [5, 1],
      [6, undefined],
      [7, undefined],
      [8, 2],
    ],
  );
});

test('what TOML 1.1 adds to inline tables is marked where it stands', () => {
  const text = 'a = { b = 1,\n c = [\n], }\n';

  const value = scanToml(text).keys[0]?.value;

  assert.ok(value?.kind === 'inline-table');
  assert.equal(value.lineBreakAt, text.indexOf('\n'));
  assert.equal(value.closedAfterCommaAt, text.indexOf('}'));
});

test('the scan sees every top-level table that a writer writes', () => {
  const table = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
    minKeys: 1,
    maxKeys: 4,
  });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), table, { maxKeys: 4 }), (value) => {
      const names = Object.keys(value).filter((name) => name !== '__proto__');
      const safe = Object.fromEntries(names.map((name) => [name, { ...value[name] }]));

      const scanned = scanToml(stringify(safe)).headers.map((header) => header.path[0]);

      assert.deepEqual([...scanned].sort(), [...names].sort());
    }),
  );
});

/** Time of the processor for a text. */
function cpuMsToScan(text: string): number {
  const before = process.cpuUsage();
  scanToml(text);
  return process.cpuUsage(before).user / 1000;
}

const hostile: readonly string[] = [
  ...['k = 1\n', 'a.b.c = {d = 1}\n', '[a.b]\n', '[[a.b]]\nc = 1\n', '# x\n', '\r', ' ', '\n'],
  ...['[', '{a=', '"', '"""', "'''\n", '\\', 'a.', '[[a]]\n[a.a]\n', 'a=[[],', '""=', '=', '9'],
];

test('hostile texts of 100 KB take no more than forty times what a plain one takes', () => {
  const fill = (unit: string, start = '') => start + unit.repeat(100_000 / unit.length);
  const starts = ['', 'a = ', 'a = [', 'a = {', 'a = """', `[${'x.'.repeat(60)}x]\n`];
  const plainMs = Math.max(cpuMsToScan(fill('k = 1\n')), 25);
  for (const unit of hostile) {
    for (const start of starts) {
      const text = fill(unit, start);
      const first = cpuMsToScan(text) / plainMs;
      const ratio = first < 40 ? first : cpuMsToScan(text) / plainMs;

      assert.ok(ratio < 40, `${JSON.stringify(start + unit)} took ${ratio} times as long`);
    }
  }
});
