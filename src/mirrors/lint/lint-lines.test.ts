import assert from 'node:assert/strict';
import test from 'node:test';
import { compareBuild } from 'semver';
import { linesOf } from '../explain/runtime-lines.ts';
import { describeLines, type LintLine, lintLinesOf } from './lint-lines.ts';

const lines: readonly LintLine[] = [
  { line: '1.6', versions: ['1.6.39'] },
  { line: '1.7', versions: ['1.7.31', '1.7.34'] },
  { line: '2.0', versions: ['2.0.6', '2.0.11'] },
  { line: '2.1', versions: ['2.1.9'] },
];

const described: ReadonlyArray<readonly [holds: readonly string[], words: string | undefined]> = [
  [['1.6.39', '1.7.31', '1.7.34', '2.0.6', '2.0.11', '2.1.9'], undefined],
  [['1.6.39', '1.7.31', '1.7.34'], '1.6–1.7'],
  [['1.6.39', '1.7.31'], '1.6, 1.7 up to 1.7.31'],
  [['2.0.11', '2.1.9'], '2.0 from 2.0.11, 2.1'],
  [['1.6.39', '2.1.9'], '1.6, 2.1'],
];

for (const [holds, words] of described) {
  test(`what holds for ${holds.join(', ')} holds for ${words ?? 'all lines'}`, () => {
    assert.equal(describeLines(lines, new Set(holds)), words);
  });
}

test('the lines of containerd come oldest first, with the versions between which rules differ', async () => {
  const found = await lintLinesOf('containerd');

  assert.deepEqual(found[0], { line: '1.6', versions: ['1.6.39'] });
  assert.deepEqual(found[1], { line: '1.7', versions: ['1.7.31', '1.7.34'] });
});

test('explain looks at the same versions as lint', async () => {
  const explained = (await linesOf('cri-o')).map(({ version }) => version);
  const linted = (await lintLinesOf('cri-o')).flatMap(({ versions }) => versions);

  assert.deepEqual(explained, linted);
  assert.deepEqual(linted, [...linted].sort(compareBuild));
});
