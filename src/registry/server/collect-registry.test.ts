import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { pushBlob } from '../../../test/support/push-image.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { digestOf, splitDigest } from '../../oci/digest.ts';
import { systemClock } from '../../shared/ports.ts';
import { collectRegistry } from './collect-registry.ts';

test('a blob that was collected does not come back when another repository pushes it', async (t) => {
  const directory = await tempDir(t);
  const bytes = Buffer.from('nobody needs it');
  const blob = {
    descriptor: { mediaType: 'text/plain', digest: digestOf(bytes), size: bytes.length },
    bytes,
  };
  const first = await startRegistry(t, { directory });
  await pushBlob(first.url, 'mine', blob);
  await first.stop();
  const later = { now: () => Date.now() + 2 * 60 * 60_000, monotonic: () => 0 };

  const report = await collectRegistry(directory, { dryRun: false, clock: later }, testRun(t));
  const second = await startRegistry(t, { directory });
  await pushBlob(second.url, 'theirs', blob);

  assert.equal(report.removedBlobs, 1);
  const path = `/v2/mine/blobs/${blob.descriptor.digest}`;
  assert.equal((await sendRequest(second.url, { path })).status, 404);
});

test('a blob that was just mounted stays, however long ago it was pushed', async (t) => {
  const directory = await tempDir(t);
  const bytes = Buffer.from('mounted, and its manifest is still to come');
  const digest = digestOf(bytes);
  const descriptor = { mediaType: 'text/plain', digest, size: bytes.length };
  const registry = await startRegistry(t, { directory });
  await pushBlob(registry.url, 'mine', { descriptor, bytes });
  const { algorithm, hex } = splitDigest(digest);
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  await utimes(join(directory, 'blobs', algorithm, hex), longAgo, longAgo);
  const path = `/v2/theirs/blobs/uploads/?mount=${digest}&from=mine`;
  const mounted = await sendRequest(registry.url, { method: 'POST', path });
  assert.equal(mounted.status, 201);
  await registry.stop();

  const plan = { dryRun: false, clock: systemClock };
  const report = await collectRegistry(directory, plan, testRun(t));

  assert.equal(report.removedBlobs, 0);
  assert.equal(report.waitingBlobs, 1);
});
