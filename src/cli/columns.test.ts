import assert from 'node:assert/strict';
import test from 'node:test';
import { alignColumns, cutLine, wrapText } from './columns.ts';

test('columns are aligned by what is visible, and lines end without blanks', () => {
  const red = '\u001b[31mab\u001b[39m';

  const lines = alignColumns([
    [red, 'first', 'x'],
    ['long', '', ''],
  ]);

  assert.deepEqual(lines, [`${red}    first  x`, 'long']);
});

test('text is broken at blanks and cut with an ellipsis', () => {
  assert.deepEqual(wrapText('a bb ccc dddddd', 6), ['a bb', 'ccc', 'dddddd']);
  assert.deepEqual(wrapText('abcdefgh', 3), ['abcdefgh']);
  assert.equal(cutLine('abcdef', 4), 'abc…');
  assert.equal(cutLine('abcd', 4), 'abcd');
});
