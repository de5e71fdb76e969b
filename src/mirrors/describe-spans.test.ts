import assert from 'node:assert/strict';
import test from 'node:test';
import { describeSpans } from './describe-spans.ts';
import type { ReleaseSpan } from './release-spans.ts';

function span(version: string, line: string, ends: Pick<ReleaseSpan, 'from' | 'before'> = {}) {
  return { version, line, like: version, isEarly: false, ...ends };
}

const spans: readonly ReleaseSpan[] = [
  span('1.6.39', '1.6'),
  span('1.7.6', '1.7', { before: '1.7.7' }),
  span('1.7.7', '1.7', { from: '1.7.7', before: '1.7.8' }),
  span('1.7.31', '1.7', { from: '1.7.8', before: '1.7.32' }),
  span('1.7.35', '1.7', { from: '1.7.32' }),
  span('2.0.0', '2.0', { before: '2.0.1' }),
  span('2.0.11', '2.0', { from: '2.0.1' }),
  span('2.1.4', '2.1', { before: '2.1.5' }),
  span('2.1.9', '2.1', { from: '2.1.5' }),
];

const described: ReadonlyArray<readonly [holds: string, words: string | undefined]> = [
  ['1.6.39 1.7.6 1.7.7 1.7.31 1.7.35 2.0.0 2.0.11 2.1.4 2.1.9', undefined],
  ['1.6.39', '1.6'],
  ['1.6.39 1.7.6 1.7.7 1.7.31', 'before 1.7.32'],
  ['1.6.39 1.7.6 1.7.7 1.7.31 1.7.35', '1.6–1.7'],
  ['1.7.6', '1.7 before 1.7.7'],
  ['1.7.7', '1.7.7'],
  ['1.7.7 1.7.31', '1.7.7–1.7.31'],
  ['1.7.31 1.7.35', '1.7 from 1.7.8'],
  ['2.0.0', '2.0.0'],
  ['1.7.35 2.0.0', '1.7.32–2.0.0'],
  ['2.0.11 2.1.4 2.1.9', 'from 2.0.1'],
  ['2.0.0 2.0.11 2.1.4', '2.0–2.1.4'],
  ['1.7.6 2.1.9', '1.7 before 1.7.7, from 2.1.5'],
];

for (const [holds, words] of described) {
  test(`what holds for ${holds} holds ${words ?? 'everywhere'}`, () => {
    assert.equal(describeSpans(spans, new Set(holds.split(' '))), words);
  });
}

test('the revision of a release of k3s says nothing, and releases that behave alike are one', () => {
  const ofK3s: readonly ReleaseSpan[] = [
    { ...span('v1.28.5+k3s1', 'v1.28', { before: 'v1.28.6' }), like: 'v1.29.0+k3s1' },
    span('v1.28.15+k3s1', 'v1.28', { from: 'v1.28.6' }),
    span('v1.29.0+k3s1', 'v1.29', { before: 'v1.29.1' }),
    span('v1.29.15+k3s1', 'v1.29', { from: 'v1.29.1' }),
  ];

  assert.equal(describeSpans(ofK3s, new Set(['v1.29.0+k3s1'])), 'before v1.28.6, v1.29.0');
});
