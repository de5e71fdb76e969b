import assert from 'node:assert/strict';
import test from 'node:test';
import { afterSuccess, afterThrottle, fullPace, type Pace, waitMs } from './pace.ts';

const most = 16;

function repeat(times: number, change: (pace: Pace) => Pace, pace: Pace): Pace {
  let now = pace;
  for (let step = 0; step < times; step += 1) now = change(now);
  return now;
}

test('one throttled answer halves the window', () => {
  const pace = afterThrottle(fullPace(most), { startedAtMs: 0, nowMs: 10 });

  assert.equal(pace.window, 8);
  assert.equal(pace.intervalMs, 0);
});

test('a whole wave of throttled answers halves the window only once', () => {
  const wave = { startedAtMs: 0, nowMs: 10 };

  const pace = repeat(most, (before) => afterThrottle(before, wave), fullPace(most));

  assert.equal(pace.window, 8);
});

test('throttled again and again, one request remains and the pause doubles up to ten seconds', () => {
  let now = 0;
  const slower = (pace: Pace) => {
    now += 1;
    return afterThrottle(pace, { startedAtMs: now, nowMs: now });
  };

  const slow = repeat(6, slower, fullPace(most));
  const slowest = repeat(20, slower, slow);

  assert.deepEqual([slow.window, slow.intervalMs], [1, 200]);
  assert.deepEqual([slowest.window, slowest.intervalMs], [1, 10_000]);
});

test('successes first end the pause, then widen the window by one per round, up to the full pace', () => {
  const success = (pace: Pace) => afterSuccess(pace, most);
  const slow = { ...fullPace(most), window: 1, intervalMs: 100 };

  const withoutPause = repeat(9, success, slow);
  const doubled = repeat(1, success, withoutPause);
  const recovered = repeat(200, success, doubled);

  assert.deepEqual([withoutPause.window, withoutPause.intervalMs], [1, 0]);
  assert.equal(doubled.window, 2);
  assert.deepEqual([recovered.window, recovered.intervalMs], [most, 0]);
});

test('nothing starts before the time that the registry named', () => {
  const pace = afterThrottle(fullPace(most), { startedAtMs: 0, nowMs: 10, retryAfterMs: 3000 });

  assert.equal(waitMs(pace, 0, 10), 3000);
  assert.equal(waitMs(pace, 0, 3010), 0);
});

test('a shorter wait does not shorten a longer one', () => {
  const long = afterThrottle(fullPace(most), { startedAtMs: 0, nowMs: 0, retryAfterMs: 5000 });

  const both = afterThrottle(long, { startedAtMs: 0, nowMs: 10, retryAfterMs: 1000 });

  assert.equal(waitMs(both, 0, 10), 4990);
});

test('the pause counts from the last start', () => {
  const pace = { ...fullPace(most), intervalMs: 100 };

  assert.equal(waitMs(pace, 1000, 1040), 60);
});
