import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { tomlLine } from './toml-places.ts';
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

test('the line of a path is that of its key, its header, or the nearest part above', () => {
  const scan = scanToml(sample);

  assert.equal(tomlLine(scan, ['server']), 2);
  assert.equal(tomlLine(scan, ['host', 'https://m']), 12);
  assert.equal(tomlLine(scan, ['array', 'inline', 'a', 'b']), 16);
  assert.equal(tomlLine(scan, ['nothing']), undefined);
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

test('a text that is not TOML gives what stands before the error', () => {
  assert.deepEqual(
    scanToml('a = 1\n[b\nc = 2\n').keys.map((key) => key.path),
    [['a']],
  );
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

/** Time of the processor for a file of so many keys, the least of three. */
function cpuMsToScan(keys: number): number {
  const text = Array.from({ length: keys }, (_, n) => `k${n} = 1`).join('\n');
  const runs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    assert.equal(scanToml(text).keys.at(-1)?.line, keys);
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...runs);
}

test('a file of many keys is scanned in linear time', () => {
  cpuMsToScan(1000);

  const ratio = cpuMsToScan(40_000) / cpuMsToScan(2000);

  assert.ok(ratio < 100, `20 times the keys took ${ratio} times as long; searching takes 400`);
});
