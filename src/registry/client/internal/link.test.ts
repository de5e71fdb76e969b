import assert from 'node:assert/strict';
import test from 'node:test';
import { nextLink } from './link.ts';

const base = new URL('https://reg.test/v2/a/tags/list?n=2');
const cases: ReadonlyArray<readonly [header: string | undefined, expected: string | undefined]> = [
  ['</v2/a/tags/list?last=x&n=2>; rel="next"', 'https://reg.test/v2/a/tags/list?last=x&n=2'],
  ['<list?last=x,y>; rel=next', 'https://reg.test/v2/a/tags/list?last=x,y'],
  ['<https://other.test/p>; rel="next"', 'https://other.test/p'],
  ['<a>; rel="prev", <b>; title="x"; rel="last next"', 'https://reg.test/v2/a/tags/b'],
  ['<a>; rel="prev"', undefined],
  ['<a>; rel="nextish"', undefined],
  ['garbage', undefined],
  [undefined, undefined],
];

for (const [header, expected] of cases) {
  test(`the next page of ${header} is ${expected}`, () => {
    assert.equal(nextLink(header, base)?.href, expected);
  });
}
