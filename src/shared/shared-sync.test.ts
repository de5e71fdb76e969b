import assert from 'node:assert/strict';
import test from 'node:test';
import { SharedSync } from './shared-sync.ts';

/** A file whose syncs end when the test says so. */
class SlowFile {
  readonly waiting: PromiseWithResolvers<void>[] = [];

  datasync(): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.waiting.push(turn);
    return turn.promise;
  }
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('who asks while a sync is under way shares the next one, which begins after it', async () => {
  const file = new SlowFile();
  const sync = new SharedSync(file);
  const first = sync.run();
  await soon();
  let isSecondDone = false;
  const others = Promise.all([sync.run(), sync.run()]).then(() => {
    isSecondDone = true;
  });

  assert.equal(file.waiting.length, 1);
  file.waiting[0]?.resolve();
  await first;
  await soon();

  assert.deepEqual([file.waiting.length, isSecondDone], [2, false]);
  file.waiting[1]?.resolve();
  await others;
});

test('after a failure nothing counts as synced any more', async () => {
  const file = new SlowFile();
  const sync = new SharedSync(file);
  const first = sync.run();
  await soon();
  file.waiting[0]?.reject(new Error('EIO'));

  await assert.rejects(first, { message: 'EIO' });
  await assert.rejects(sync.run(), { message: 'EIO' });
  assert.equal(file.waiting.length, 1);
});
