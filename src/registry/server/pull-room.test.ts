import assert from 'node:assert/strict';
import test from 'node:test';
import { PullRoom } from './pull-room.ts';

test('the more pulls there are, the less each may read at once, down to 16 KiB', async () => {
  const room = new PullRoom(1024 * 1024);
  const end = Promise.withResolvers<void>();
  const sizes: (() => number)[] = [];
  const pull = () =>
    room.hold(async (chunkBytes) => {
      sizes.push(chunkBytes);
      await end.promise;
    });

  const pulls = [pull()];
  assert.equal(sizes[0]?.(), 256 * 1024);
  for (let count = 1; count < 8; count += 1) pulls.push(pull());
  assert.equal(sizes[0]?.(), 128 * 1024);
  for (let count = 8; count < 200; count += 1) pulls.push(pull());
  assert.equal(sizes[0]?.(), 16 * 1024);
  end.resolve();
  await Promise.all(pulls);

  await room.hold(async (chunkBytes) => assert.equal(chunkBytes(), 256 * 1024));
});
