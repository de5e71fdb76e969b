import assert from 'node:assert/strict';
import test from 'node:test';
import { isTomlTable, parseToml } from './toml.ts';

test('a TOML text becomes plain values with its keys in file order', () => {
  const result = parseToml('b = 1\na = ["x"]\n[t]\nd = true\n', 'x.toml');

  assert.ok(result.ok);
  assert.deepEqual(Object.keys(result.value), ['b', 'a', 't']);
  assert.equal(JSON.stringify(result.value), '{"b":1,"a":["x"],"t":{"d":true}}');
});

test('a byte order mark and Windows line ends are read', () => {
  assert.equal(parseToml('\uFEFFa = 1\r\nb = 2\r\n', 'x.toml').ok, true);
});

test('a text that is not TOML is one problem with line, column and code', () => {
  const result = parseToml('a = 1\nserver = https://x\n', 'hosts.toml');

  assert.ok(!result.ok);
  assert.deepEqual(
    { file: result.problem.file, line: result.problem.line, code: result.problem.code },
    { file: 'hosts.toml', line: 2, code: 'DOC_SYNTAX' },
  );
  assert.ok(result.problem.column >= 10);
  assert.match(result.problem.message, /^not TOML: [^\n]+$/);
});

test('one byte order mark is skipped, a second one is not TOML', () => {
  assert.ok(parseToml('\uFEFFa = 1\n', 'x.toml').ok);
  assert.ok(!parseToml('\uFEFF\uFEFFa = 1\n', 'x.toml').ok);
});

test('only tables are tables', () => {
  const result = parseToml('t = {}\nl = []\nd = 2026-01-01\ns = ""\n', 'x.toml');
  assert.ok(result.ok);

  const tables = Object.entries(result.value).filter(([, value]) => isTomlTable(value));

  assert.deepEqual(
    tables.map(([key]) => key),
    ['t'],
  );
  assert.equal(isTomlTable(undefined), false);
});
