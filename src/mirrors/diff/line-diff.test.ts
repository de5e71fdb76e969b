import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { takeOut } from '../write/take-out.ts';
import { diffLines } from './line-diff.ts';
import { unifiedDiff } from './unified-diff.ts';

const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });

/** `before` with its changes made is `after`. */
function patched(before: readonly string[], after: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let at = 0;
  for (const change of diffLines(before, after)) {
    lines.push(
      ...before.slice(at, change.oldStart),
      ...after.slice(change.newStart, change.newEnd),
    );
    at = change.oldEnd;
  }
  return [...lines, ...before.slice(at)];
}

test('the changes between two texts make one of the other', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      assert.deepEqual(patched(before, after), after);
    }),
  );
});

test('only what differs is a change', () => {
  assert.deepEqual(diffLines(['a', 'b', 'c'], ['a', 'x', 'c']), [
    { oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 },
  ]);
  assert.deepEqual(diffLines(['a'], ['a']), []);
});

test('a unified diff has numbers and context as diff -u has them', () => {
  const before = `${[1, 2, 3, 4, 5, 6, 7, 8, 9].join('\n')}\n`;

  assert.deepEqual(unifiedDiff(before, before.replace('5', 'five')), [
    '@@ -2,7 +2,7 @@',
    ...[' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
  ]);
  assert.deepEqual(unifiedDiff('', 'a\nb\n'), ['@@ -0,0 +1,2 @@', '+a', '+b']);
  assert.deepEqual(unifiedDiff('a\n', ''), ['@@ -1 +0,0 @@', '-a']);
  assert.deepEqual(unifiedDiff('a', 'a\n'), [
    '@@ -1 +1 @@',
    ...['-a', '\\ No newline at end of file', '+a'],
  ]);
});

test('our lines leave a text that others have changed elsewhere', () => {
  const before = 'a\nb\nc\nd\n';
  const ours = 'a\nb\nours\nc\nd\n';

  assert.equal(takeOut({ before, ours, now: ours }), before);
  assert.equal(takeOut({ before, ours, now: `${ours}theirs\n` }), `${before}theirs\n`);
  assert.equal(takeOut({ before, ours, now: ours.replace('a', 'A') }), before.replace('a', 'A'));
});

test('a table that somebody put behind ours at the end of a file stays', () => {
  const [before, ours] = ['a\n', 'a\n\n[ours]\nx = 1\n'];

  assert.equal(
    takeOut({ before, ours, now: `${ours}\n[theirs]\ny = 2\n` }),
    'a\n\n[theirs]\ny = 2\n',
  );
  assert.equal(takeOut({ before, ours, now: `${ours}y = 2\n` }), undefined);
});

test('lines of others that touch ours are left to a person', () => {
  const [before, ours] = ['a\nb\n', 'a\nours\nb\n'];

  assert.equal(takeOut({ before, ours, now: 'a\nours!\nb\n' }), undefined);
  assert.equal(takeOut({ before, ours, now: 'a\nours\ntheirs\nb\n' }), undefined);
});

test('taking out a change that nobody touched gives the text before', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const [before, ours] = [a.join('\n'), b.join('\n')];
      assert.equal(takeOut({ before, ours, now: ours }), before);
    }),
  );
});
