import assert from 'node:assert/strict';
import test from 'node:test';
import { Transfers } from './transfers.ts';

const limits = { maxTransfers: 1, slowBytesPerSecond: 1024, slowAfterMs: 10_000 };

/** A body whose chunks come when the test says so. */
function startTransfer(transfers: Transfers) {
  let arrived = Promise.withResolvers<Uint8Array>();
  let taken = Promise.withResolvers<void>();
  async function* body() {
    for (;;) {
      yield await arrived.promise;
    }
  }
  const outcome = transfers.receive(body(), async (bytes) => {
    for await (const _ of bytes) {
      arrived = Promise.withResolvers();
      taken.resolve();
    }
  });
  void outcome.catch(() => {});
  const send = async (byteCount: number) => {
    taken = Promise.withResolvers();
    arrived.resolve(new Uint8Array(byteCount));
    await taken.promise;
  };
  return { outcome, send };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function world() {
  const clock = { time: 0, now: () => 0, monotonic: () => clock.time };
  const transfers = new Transfers(limits, clock);
  const another = () => transfers.receive(nothing(), async () => 'in');
  return { clock, transfers, another };
}

const refusal = { status: 429 };

test('one that sends fast enough stays, however long it takes', async () => {
  const { clock, transfers, another } = world();
  const { send } = startTransfer(transfers);

  for (let second = 0; second < 60; second += 5) {
    await send(6000);
    await assert.rejects(another(), refusal);
    clock.time += 5000;
  }
});

test('one that was fast and now trickles has to leave, though no window is ever empty', async () => {
  const { clock, transfers, another } = world();
  const { outcome, send } = startTransfer(transfers);
  await send(1_000_000);
  await assert.rejects(another(), refusal);

  for (let second = 0; second < 30; second += 6) {
    clock.time += 6000;
    await send(1);
  }

  assert.equal(await another(), 'in');
  await assert.rejects(outcome, refusal);
});

test('of several slow ones the slowest leaves, and only one of them', async () => {
  const clock = { time: 0, now: () => 0, monotonic: () => clock.time };
  const transfers = new Transfers({ ...limits, maxTransfers: 3 }, clock);
  const all = [1, 3, 2].map(() => startTransfer(transfers));
  for (const [at, size] of [200, 100, 300].entries()) await all[at]?.send(size);
  clock.time += 10_000;

  const left: number[] = [];
  for (const [at, { outcome }] of all.entries()) void outcome.catch(() => left.push(at));
  assert.equal(await transfers.receive(nothing(), async () => 'in'), 'in');

  await assert.rejects(all[1]?.outcome ?? Promise.resolve(), refusal);
  assert.deepEqual(left, [1]);
});

test('nobody has to leave while there are places', async () => {
  const clock = { time: 0, now: () => 0, monotonic: () => clock.time };
  const transfers = new Transfers({ ...limits, maxTransfers: 2 }, clock);
  const { outcome } = startTransfer(transfers);
  clock.time += 100_000;

  assert.equal(await transfers.receive(nothing(), async () => 'in'), 'in');

  const state = await Promise.race([outcome, Promise.resolve('goes on')]);
  assert.equal(state, 'goes on');
});
