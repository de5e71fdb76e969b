import assert from 'node:assert/strict';
import test from 'node:test';
import { SharedRounds } from './shared-rounds.ts';

/** Rounds that end when the test says so. */
function slowRounds() {
  const begun: PromiseWithResolvers<void>[] = [];
  const rounds = new SharedRounds(() => {
    const turn = Promise.withResolvers<void>();
    begun.push(turn);
    return turn.promise;
  });
  return { rounds, begun };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('who asks while a round is under way shares the next one, which begins after it', async () => {
  const { rounds, begun } = slowRounds();
  const first = rounds.next();
  await soon();
  let areOthersDone = false;
  const others = Promise.all([rounds.next(), rounds.next()]).then(() => {
    areOthersDone = true;
  });

  assert.equal(begun.length, 1);
  begun[0]?.resolve();
  await first;
  await soon();

  assert.deepEqual([begun.length, areOthersDone, rounds.isIdle], [2, false, false]);
  begun[1]?.resolve();
  await others;
  assert.deepEqual([begun.length, rounds.isIdle], [2, true]);
});

test('a failure is told to those who share the round, and the next begins anew', async () => {
  const { rounds, begun } = slowRounds();
  const failing = Promise.allSettled([rounds.next(), rounds.next()]);
  await soon();
  const later = rounds.next();
  begun[0]?.reject(new Error('EIO'));

  assert.deepEqual(
    (await failing).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await soon();
  begun[1]?.resolve();
  await later;
  await rounds.settled();
  assert.equal(begun.length, 2);
});
