/** Big manifests are understood one after the other, since parsed they take ten times the memory. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { faultFor } from '../../../test/support/faults.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { MediaTypes } from '../../oci/media-types.ts';
import { ManifestRoom } from './manifest-room.ts';

const bigBytes = 300 * 1024;

/** Work that ends when told to, and how much of it is under way. */
function heldWork() {
  const gate = Promise.withResolvers<void>();
  const seen = { underWay: 0, work: async () => {}, release: gate.resolve };
  seen.work = async () => {
    seen.underWay += 1;
    await gate.promise;
    seen.underWay -= 1;
  };
  return seen;
}

test('a big manifest waits for the big one before it, small ones wait for nobody', async () => {
  const room = new ManifestRoom(1);
  const [big, small] = [heldWork(), heldWork()];

  const all = [
    room.understand(bigBytes, big.work),
    room.understand(bigBytes, big.work),
    room.understand(1024, small.work),
    room.understand(1024, small.work),
  ];
  await new Promise(setImmediate);

  assert.equal(big.underWay, 1);
  assert.equal(small.underWay, 2);
  small.release();
  big.release();
  await Promise.all(all);
});

test('of big manifests that are pushed together, one at a time is understood', async (t) => {
  let arrived = 0;
  const counting = faultFor({ method: 'PUT' }, (request, response, next) => {
    request.once('end', () => {
      arrived += 1;
    });
    return next(request, response);
  });
  const registry = await startRegistry(t, { faults: [counting] });
  const { repositories } = registry;
  const putManifest = repositories.putManifest.bind(repositories);
  const big = heldWork();
  repositories.putManifest = async (repository, entry, tags) => {
    if (entry.descriptor.size > bigBytes) await big.work();
    return putManifest(repository, entry, tags);
  };
  const push = async (tag: string, filler = '') => {
    const index = { schemaVersion: 2, manifests: [], annotations: { tag, filler } };
    const { status } = await sendRequest(registry.url, {
      method: 'PUT',
      path: `/v2/app/manifests/${tag}`,
      headers: { 'content-type': MediaTypes.ociIndex },
      body: JSON.stringify(index),
    });
    return status;
  };

  const pushes = ['a', 'b', 'c'].map((tag) => push(tag, 'x'.repeat(bigBytes)));
  await waitUntil(() => arrived === 3, { what: 'three big manifests to arrive' });
  // What arrives later is understood before them, so each had the time to begin.
  assert.equal(await push('small'), 201);

  assert.equal(big.underWay, 1);
  big.release();
  assert.deepEqual(await Promise.all(pushes), [201, 201, 201]);
});
