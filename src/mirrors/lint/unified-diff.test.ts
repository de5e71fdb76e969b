import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { unifiedDiff } from './unified-diff.ts';

test('a changed line stands between three lines of its surroundings', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';

  const diff = unifiedDiff('hosts.toml', 'hosts.toml', before, before.replace('e', 'E'));

  assert.equal(
    diff,
    ['--- hosts.toml', '+++ hosts.toml', '@@ -2,7 +2,7 @@'].join('\n') +
      '\n b\n c\n d\n-e\n+E\n f\n g\n h',
  );
});

test('a last line without a line break is told from one with it', () => {
  assert.match(unifiedDiff('a', 'b', 'x', 'x\n'), /-x\n\\ No newline at end of file\n\+x$/);
});

test('equal texts have no difference', () => {
  assert.equal(unifiedDiff('a', 'b', 'x\n', 'x\n'), '');
});

/** The new side of a difference, whose old side must be the old text; without surroundings cut off. */
function sideOf(diff: string, foreign: '+' | '-'): string {
  const lines = diff.split('\n').slice(2);
  const side = lines.filter((line) => !line.startsWith('@@') && !line.startsWith(foreign));
  return side.map((line) => `${line.slice(1)}\n`).join('');
}

test('the difference of texts that fit into one piece holds both of them, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 4 })
    .map((lines) => (lines.length === 0 ? '' : `${lines.join('\n')}\n`));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff('a', 'b', before, after);

      if (before === after) return;
      assert.equal(sideOf(diff, '-'), after);
      assert.equal(sideOf(diff, '+'), before);
    }),
    { seed: 4, numRuns: 300 },
  );
});
