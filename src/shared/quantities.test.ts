import assert from 'node:assert/strict';
import test from 'node:test';
import { formatBytes, formatBytesOf, formatCount, formatDuration } from './quantities.ts';

test('sizes have two digits that matter and decimal units', () => {
  const sizes = [0, 950, 999, 1000, 12_345_678, 999_499, 999_500, 2_600_000_000, 9.96e9];

  assert.deepEqual(sizes.map(formatBytes), [
    '0 B',
    '950 B',
    '999 B',
    '1.0 kB',
    '12 MB',
    '999 kB',
    '1.0 MB',
    '2.6 GB',
    '10 GB',
  ]);
  assert.equal(formatBytesOf(12e6, 2.6e9), '0.0 of 2.6 GB');
  assert.equal(formatBytesOf(1.2e9, 2.6e9), '1.2 of 2.6 GB');
});

test('times are as exact as a person needs them', () => {
  const times = [0, 440, 9940, 9960, 65_200, 119_000, 120_000, 3_599_000, 4_000_000];

  assert.deepEqual(times.map(formatDuration), [
    '0.0 s',
    '0.4 s',
    '9.9 s',
    '10 s',
    '65 s',
    '119 s',
    '2 min',
    '1 h 0 min',
    '1 h 7 min',
  ]);
});

test('one thing is singular', () => {
  assert.deepEqual(
    [0, 1, 2].map((n) => formatCount(n, 'image')),
    ['0 images', '1 image', '2 images'],
  );
});
