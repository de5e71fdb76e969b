import assert from 'node:assert/strict';
import test from 'node:test';
import { didYouMean, suggest } from './suggest.ts';

const cases: ReadonlyArray<readonly [string, readonly string[], string | undefined]> = [
  ['image', ['name', 'images', 'chart'], 'images'],
  ['imagse', ['name', 'images'], 'images'],
  ['flatname', ['flatName'], 'flatName'],
  ['flat-name', ['flatName'], 'flatName'],
  ['Release', ['Site', 'Release'], 'Release'],
  ['ref', ['refs', 'reg'], 'refs'],
  ['xyz', ['name', 'images'], undefined],
  ['a', ['b'], 'b'],
  ['', ['name'], undefined],
  ['toolongtobenear', ['name'], undefined],
];

for (const [typed, known, expected] of cases) {
  test(`"${typed}" out of ${known.join(', ')} suggests ${expected ?? 'nothing'}`, () => {
    assert.equal(suggest(typed, known), expected);
  });
}

test('the clause for messages is empty when nothing is near', () => {
  assert.equal(didYouMean('offine', ['online', 'offline']), '; did you mean "offline"?');
  assert.equal(didYouMean('zzz', ['online', 'offline']), '');
});
