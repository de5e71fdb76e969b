import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { KeyedLock, Slots } from './slots.ts';

test('slots never run more than their limit, keep the order, and survive failures', async () => {
  const slots = new Slots(3);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = (n: number) => async () => {
    started.push(n);
    running += 1;
    most = Math.max(most, running);
    await tick();
    running -= 1;
    if (n % 2 === 0) throw new Error(`${n}`);
    return n;
  };

  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const outcomes = await Promise.allSettled(numbers.map((n) => slots.run(work(n))));

  assert.equal(most, 3);
  assert.deepEqual(started, numbers);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
});

test('work of one key waits for the one before, also after a failure; other keys do not', async () => {
  const lock = new KeyedLock();
  const events: string[] = [];
  const work = (name: string, failure?: Error) => async () => {
    events.push(`${name} begins`);
    await tick();
    events.push(`${name} ends`);
    if (failure !== undefined) throw failure;
  };

  const outcomes = await Promise.allSettled([
    lock.run('a', work('a1', new Error('first failed'))),
    lock.run('a', work('a2')),
    lock.run('b', work('b1')),
  ]);

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
  assert.ok(events.indexOf('a1 ends') < events.indexOf('a2 begins'));
  assert.ok(events.indexOf('b1 begins') < events.indexOf('a1 ends'));
});
