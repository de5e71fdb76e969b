import assert from 'node:assert/strict';
import test from 'node:test';
import { readRawYaml } from './yaml-nodes.ts';

test('scalars stay as they are written, with their places', () => {
  const read = readRawYaml('a: yes\nb: "yes"\n');

  assert.ok(read.ok && read.root?.kind === 'mapping');
  assert.deepEqual(
    read.root.pairs.map(({ value }) => value),
    [
      {
        kind: 'scalar',
        text: 'yes',
        isPlain: true,
        tag: '',
        at: { start: 3, end: 6, line: 1, column: 4 },
      },
      {
        kind: 'scalar',
        text: 'yes',
        isPlain: false,
        tag: '',
        at: { start: 10, end: 15, line: 2, column: 4 },
      },
    ],
  );
});

test('a key twice is two entries, and only the first document is read', () => {
  const read = readRawYaml('a: 1\na: 2\n---\nb: [\n');

  assert.ok(read.ok && read.root?.kind === 'mapping');
  assert.equal(read.root.pairs.length, 2);
});

test('an alias leads to the anchor before it, also to a node that it stands in', () => {
  const read = readRawYaml('a: &x {b: *x}\n');

  assert.ok(read.ok && read.root?.kind === 'mapping');
  const [outer] = read.root.pairs;
  assert.ok(outer?.value.kind === 'mapping');
  const inner = outer.value.pairs[0]?.value;
  assert.ok(inner?.kind === 'alias');
  assert.equal(inner.target, outer.value);
});

test('an alias without an anchor, and what is no YAML, is refused with its place', () => {
  for (const [text, code, line] of [
    ['a: 1\nb: *x\n', 'unknown-anchor', 2],
    ['a:\n\tb: c\n', 'TAB_AS_INDENT', 2],
    [`${'['.repeat(5000)}`, 'too-large', 1],
  ] as const) {
    const read = readRawYaml(text);
    assert.ok(!read.ok);
    assert.deepEqual([read.fault.code, read.fault.at.line], [code, line]);
  }
});

test('an empty text has no root', () => {
  assert.deepEqual(readRawYaml('# nothing\n'), { ok: true, root: undefined });
});
