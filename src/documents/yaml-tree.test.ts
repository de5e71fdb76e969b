import assert from 'node:assert/strict';
import test from 'node:test';
import { parseBounded } from './parse-bounded.ts';
import { parseYaml } from './yaml-tree.ts';

const cases: ReadonlyArray<readonly [claim: string, text: string, expected: readonly string[]]> = [
  ['a tab as indentation', 'a: 1\nb:\n\tc: 2\n', ['3:1 DOC_SYNTAX']],
  ['text that holds a colon', 'a: b: c\n', ['1:4 DOC_SYNTAX']],
  ['a quote that is not closed', 'a: "x\n', ['2:1 DOC_SYNTAX']],
  ['an alias without an anchor', 'a: *x\n', ['1:4 DOC_SYNTAX']],
  ['an alias before its anchor', 'a: *x\nb: &x 1\n', ['1:4 DOC_SYNTAX']],
  ['a tag that is not known', 'a: !secret x\n', ['1:4 DOC_SYNTAX']],
  ['YAML 1.1 by directive', '%YAML 1.1\n---\na: yes\n', ['1:1 DOC_SYNTAX']],
  ['a key twice', 'a: 1\nb: 2\na: 3\n', ['3:1 DOC_DUPLICATE_KEY']],
  ['a key twice behind CRLF line ends', 'a: 1\r\nb: 2\r\na: 3\r\n', ['3:1 DOC_DUPLICATE_KEY']],
  ['a number as key', '1: a\n', ['1:1 DOC_BAD_KEY']],
  ['null as key', '~: a\n', ['1:1 DOC_BAD_KEY']],
  ['a list as key', '? [a]\n: b\n', ['1:3 DOC_BAD_KEY']],
  ['the key that would change prototypes', '__proto__: {a: 1}\n', ['1:1 DOC_BAD_KEY']],
  ['an alias that holds itself', 'a: &a [*a]\n', ['1:7 DOC_TOO_DEEP']],
  [
    'both of two documents',
    'a: 1\na: 2\n---\nb: *x\n',
    ['2:1 DOC_DUPLICATE_KEY', '4:4 DOC_SYNTAX'],
  ],
];

for (const [claim, text, expected] of cases) {
  test(`YAML is refused for ${claim}`, () => {
    const { trees, problems } = parseYaml(text, 'f.yaml');

    assert.deepEqual(
      problems.map((problem) => `${problem.line}:${problem.column} ${problem.code}`),
      expected,
    );
    assert.deepEqual(trees, []);
  });
}

test('aliases that multiply are stopped before they fill the memory', () => {
  const levels = Array.from({ length: 12 }, (_, n) => `l${n}: &l${n} [${`*l${n - 1},`.repeat(9)}]`);
  const bomb = ['l: &l-1 [x]', ...levels].join('\n');

  const { problems } = parseYaml(bomb, 'f.yaml');

  assert.deepEqual(
    problems.map((problem) => problem.code),
    ['DOC_ALIAS_LIMIT'],
  );
});

const nestings: ReadonlyArray<readonly [form: string, text: string]> = [
  ['lists in brackets', `a: ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['brackets that nobody closes', `a: ${'['.repeat(100_000)}`],
  ['mappings in braces', `a: ${'{b: '.repeat(100_000)}${'}'.repeat(100_000)}`],
  ['lists behind dashes', `${'- '.repeat(100_000)}x`],
  ['keys that are mappings', `${'? '.repeat(100_000)}x`],
  ['lines that go in', Array.from({ length: 3000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
  ['65 lists', `a: ${'['.repeat(65)}${']'.repeat(65)}`],
];
for (const [form, text] of nestings) {
  test(`nesting that no document needs is one problem with its place: ${form}`, () => {
    const { trees, problems } = parseYaml(text, 'f.yaml');

    assert.deepEqual(
      problems.map(({ code, message }) => [code, message]),
      [['DOC_TOO_DEEP', 'more than 64 lists and mappings lie in each other']],
    );
    assert.ok((problems[0]?.line ?? 0) * (problems[0]?.column ?? 0) > 64, 'it is not at the start');
    assert.deepEqual(trees, []);
  });
}

test('64 lists in each other are read', () => {
  assert.deepEqual(parseYaml(`${'['.repeat(64)}${']'.repeat(64)}`, 'f.yaml').problems, []);
});

test('a text of more words than memory should hold is refused where it becomes too much', () => {
  const parsed = parseBounded('- 1\n'.repeat(600), 2000);

  assert.deepEqual(parsed, { excess: { kind: 'too-many', line: 401, column: 1 } });
  assert.ok('documents' in parseBounded('- 1\n'.repeat(399), 2000));
});

test('anchors and aliases work, and places lead through them', () => {
  const [tree] = parseYaml('a: &x {b: [1, 2]}\nc: *x\n', 'f.yaml').trees;

  assert.deepEqual(tree?.value, { a: { b: [1, 2] }, c: { b: [1, 2] } });
  assert.deepEqual(tree?.positionOf(['c', 'b', 1]), { line: 1, column: 15 });
});

/** Time of the processor, not of the clock: it does not count what other programs do meanwhile. */
function cpuMsToRead(keys: number): number {
  const text = Array.from({ length: keys }, (_, n) => `k${n}: ${n}`).join('\n');
  const runs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    const [tree] = parseYaml(text, 'f.yaml').trees;
    const { user } = process.cpuUsage(before);
    assert.equal(Object.keys(tree?.value ?? {}).length, keys);
    return user / 1000;
  });
  return Math.min(...runs);
}

test('a mapping of many keys is read in linear time', () => {
  cpuMsToRead(2000);

  const ratio = cpuMsToRead(40_000) / cpuMsToRead(2000);

  assert.ok(
    ratio < 100,
    `20 times the keys took ${ratio} times as long; comparing pairs takes 400`,
  );
});

test('scalars follow YAML 1.2 and keep their source', () => {
  const [tree] = parseYaml('a: yes\nb: 1.30\nc: 0o17\nd: true\ne: "1"\n', 'f.yaml').trees;

  assert.deepEqual(tree?.value, { a: 'yes', b: 1.3, c: 15, d: true, e: '1' });
  assert.equal(tree?.sourceOf(['b']), '1.30');
});
