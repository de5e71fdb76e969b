import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { splitArguments } from './split-arguments.ts';

const kinds = {
  output: { kind: 'file', short: 'o' },
  quiet: { kind: 'flag', short: 'q' },
  help: { kind: 'flag', short: 'h' },
};

/** `word`, `--option` and `--option=value`, so that expectations read in one line. */
function split(args: readonly string[]): string {
  const pieces = splitArguments(args, kinds).map((piece) => {
    if (piece.kind === 'word') return piece.text;
    return piece.value === undefined ? piece.typed : `${piece.typed}=${piece.value}`;
  });
  return pieces.join(' ');
}

const cases: readonly (readonly [string, string])[] = [
  ['a -o x b', 'a -o=x b'],
  ['--output x --output=y', '--output=x --output=y'],
  ['-ox', '-o=x'],
  ['-qh a', '-q -h a'],
  ['-qo x', '-q -o=x'],
  ['-qox', '-q -o=x'],
  ['-o --quiet', '-o --quiet'],
  ['--output=-x', '--output=-x'],
  ['-o -', '-o=-'],
  ['- -- -q --output', '- -q --output'],
  ['--unknown x', '--unknown x'],
  ['-z', '-z'],
  ['--quiet=yes', '--quiet=yes'],
  ['-o', '-o'],
];
for (const [line, expected] of cases) {
  test(`"${line}" is split into "${expected}"`, () => {
    assert.equal(split(line.split(' ')), expected);
  });
}

test('words without a dash always stay words, in their order', () => {
  const word = fc.string().filter((text) => !text.startsWith('-'));

  fc.assert(
    fc.property(fc.array(word), (words) => {
      const pieces = splitArguments(['--quiet', ...words], kinds);
      const texts = pieces.flatMap((piece) => (piece.kind === 'word' ? [piece.text] : []));
      assert.deepEqual(texts, words);
    }),
  );
});
