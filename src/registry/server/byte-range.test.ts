import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseContentRange, parseRange, type RangeAnswer } from './byte-range.ts';

const whole: RangeAnswer = { kind: 'whole' };
const unsatisfiable: RangeAnswer = { kind: 'unsatisfiable' };
const part = (first: number, last: number): RangeAnswer => ({ kind: 'part', first, last });

for (const [header, size, want] of [
  [undefined, 10, whole],
  ['bytes=0-0', 10, part(0, 0)],
  ['bytes=2-5', 10, part(2, 5)],
  ['bytes=2-', 10, part(2, 9)],
  ['bytes=2-99', 10, part(2, 9)],
  ['bytes=-3', 10, part(7, 9)],
  ['bytes=-99', 10, part(0, 9)],
  ['Bytes= 2 - 5 ', 10, part(2, 5)],
  ['bytes=10-', 10, unsatisfiable],
  ['bytes=10-20', 10, unsatisfiable],
  ['bytes=-0', 10, unsatisfiable],
  ['bytes=0-', 0, unsatisfiable],
  ['bytes=-1', 0, unsatisfiable],
  ['bytes=5-2', 10, unsatisfiable],
  // Not a byte range, or several: RFC 9110 lets a server ignore the header.
  ['bytes=-', 10, whole],
  ['bytes=a-b', 10, whole],
  ['bytes=0-1,3-4', 10, whole],
  ['lines=0-1', 10, whole],
  ['', 10, whole],
] as const) {
  test(`Range ${header} of ${size} bytes is ${JSON.stringify(want)}`, () => {
    assert.deepEqual(parseRange(header, size), want);
  });
}

/** The positions that a range names, one by one; undefined if it names none at all. */
function positionsOf(from: number | undefined, to: number | undefined, size: number) {
  const all = Array.from({ length: size }, (_, index) => index);
  if (from === undefined)
    return to === undefined ? undefined : all.slice(-Math.min(to, size) || size);
  return (to ?? from) < from ? [] : all.filter((at) => at >= from && at <= (to ?? size));
}

test('a range never leaves the content and holds exactly what was asked for', () => {
  const positions = fc.option(fc.nat(200), { nil: undefined });
  fc.assert(
    fc.property(positions, positions, fc.nat(100), (from, to, size) => {
      const answer = parseRange(`bytes=${from ?? ''}-${to ?? ''}`, size);

      const wanted = positionsOf(from, to, size);
      const kind = wanted === undefined ? 'whole' : wanted.length === 0 ? 'unsatisfiable' : 'part';
      assert.equal(answer.kind, kind);
      if (answer.kind !== 'part') return;
      assert.equal(answer.first, wanted?.[0]);
      assert.equal(answer.last, wanted?.at(-1));
    }),
  );
});

test('no header makes the range parser fail', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (header, size) => {
      assert.ok(['whole', 'part', 'unsatisfiable'].includes(parseRange(header, size).kind));
    }),
  );
});

for (const [header, want] of [
  ['0-99', { first: 0, last: 99 }],
  ['100-100', { first: 100, last: 100 }],
  ['bytes 0-9/10', { first: 0, last: 9 }],
  ['bytes 0-9/*', { first: 0, last: 9 }],
  ['bytes=0-9', { first: 0, last: 9 }],
  ['9-0', undefined],
  ['0-', undefined],
  ['-5', undefined],
  ['bytes */10', undefined],
  ['0-99999999999999999999', undefined],
  ['', undefined],
] as const) {
  test(`Content-Range ${JSON.stringify(header)} is ${JSON.stringify(want)}`, () => {
    assert.deepEqual(parseContentRange(header), want);
  });
}
