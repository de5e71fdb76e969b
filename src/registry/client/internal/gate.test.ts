import assert from 'node:assert/strict';
import test from 'node:test';
import { fakeWorld } from '../../../../test/support/fake-world.ts';
import { Gate } from './gate.ts';

const never = new AbortController().signal;

function narrowGate(parallelRequests: number) {
  const world = fakeWorld();
  return { world, gate: new Gate(world.settings({ limits: { parallelRequests } })) };
}

test('no more requests pass at once than the window allows', async () => {
  const { gate } = narrowGate(2);
  const order: string[] = [];
  const first = await gate.enter(never);
  await gate.enter(never);

  const third = gate.enter(never).then(() => order.push('third'));
  order.push('before');
  first.done('fine');
  await third;

  assert.deepEqual(order, ['before', 'third']);
});

test('a throttled answer stops the others for the time that the registry named', async () => {
  const { gate, world } = narrowGate(4);
  const permit = await gate.enter(never);

  permit.done({ throttledForMs: 2000 });
  await gate.enter(never);

  assert.deepEqual(world.sleeps, [2000]);
});

test('after throttling fewer pass at once, and successes win the places back', async () => {
  const { gate } = narrowGate(4);
  const permits = await Promise.all([1, 2, 3].map(() => gate.enter(never)));
  for (const permit of permits) permit.done({ throttledForMs: undefined });

  const [one, two] = [await gate.enter(never), await gate.enter(never)];
  let passed = 0;
  const waiting = [1, 2, 3].map(() => gate.enter(never).then(() => (passed += 1)));
  one.done('fine');
  await waiting[0];
  const passedNarrow = passed;
  two.done('fine');
  await Promise.all(waiting.slice(0, 2));

  assert.equal(passedNarrow, 1);
  assert.ok(passed >= 2);
});

test('who waits and gives up takes no place', async () => {
  const { gate } = narrowGate(1);
  const holder = await gate.enter(never);
  const abort = new AbortController();

  const waiting = gate.enter(abort.signal);
  abort.abort(new Error('given up'));
  await assert.rejects(waiting, /given up/);
  holder.done('fine');

  await gate.enter(never);
});
