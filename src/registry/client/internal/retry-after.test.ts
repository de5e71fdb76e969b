import assert from 'node:assert/strict';
import test from 'node:test';
import { fakeWorld } from '../../../../test/support/fake-world.ts';
import { retryAfterMs } from './retry-after.ts';

const { clock } = fakeWorld();
const cases: ReadonlyArray<readonly [header: string | undefined, expected: number | undefined]> = [
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
  [undefined, undefined],
];

for (const [header, expected] of cases) {
  test(`Retry-After ${JSON.stringify(header)} asks for ${expected} ms`, () => {
    assert.equal(retryAfterMs(header, clock), expected);
  });
}
