/**
 * The embedded registry is killed again and again while many clients push the same few blobs, some of
 * them with wrong bytes, some breaking off: what it said it had taken is there afterwards, and garbage
 * collection finds everything that nobody was promised.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import test, { type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { digestOf } from '../../../src/oci/digest.ts';
import { collectRegistry } from '../../../src/registry/server/collect-registry.ts';
import { pushRoughly, pushWays } from '../../support/rough-push.ts';
import { sendRequest } from '../../support/send-request.ts';
import { serveFolder } from '../../support/served-folder/serve-folder.ts';
import { startRegistry } from '../../support/start-registry.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { testRun } from '../../support/test-run.ts';

const kills = 6;
const pushers = 8;
const contents = [0, 1, 2, 3, 4].map((number) => Buffer.alloc(200_000 + number, `blob ${number} `));

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** What was taken, as `repository/digest`; a push of wrong bytes that was taken fails. */
type Taken = Map<string, Buffer>;

async function pushOn(url: string, pick: (below: number) => number, taken: Taken): Promise<never> {
  for (;;) {
    const way = pushWays[pick(pushWays.length)] ?? 'whole';
    const bytes = contents[pick(contents.length)] ?? Buffer.alloc(0);
    const repository = `r${pick(2)}`;
    if (!(await pushRoughly({ url, repository, way, bytes }))) continue;
    assert.ok(!way.startsWith('wrong'), 'wrong bytes were taken');
    taken.set(`${repository}/blobs/${digestOf(bytes)}`, bytes);
  }
}

async function assertServed(t: TestContext, directory: string, taken: Taken): Promise<void> {
  const registry = await startRegistry(t, { directory });
  for (const [path, bytes] of taken) {
    const got = await sendRequest(registry.url, { path: `/v2/${path}` });
    assert.equal(got.status, 200, `${path} is lost`);
    assert.ok(bytes.equals(got.bytes), path);
  }
  await registry.stop();
}

/** No manifest names any of the blobs: with the hour of grace over, nothing may be left of them. */
async function assertCollectable(t: TestContext, folder: string): Promise<void> {
  const clock = { now: () => Date.now() + 2 * 60 * 60_000, monotonic: () => 0 };
  await collectRegistry(folder, { dryRun: false, clock }, testRun(t));
  const left = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = left.filter((entry) => entry.isFile());
  assert.deepEqual(
    files.map(({ name }) => name),
    ['oci-layout'],
  );
}

test('no blob that was taken is lost, whoever else pushes it and whenever it is killed', async (t) => {
  const folder = await tempDir(t);
  const taken: Taken = new Map();
  let takenInAll = 0;

  for (let round = 0; round < kills; round += 1) {
    const [registry, url] = await serveFolder(t, folder);
    const seeds = Array.from({ length: pushers }, (_, at) => round * pushers + at + 1);
    const pushing = Promise.allSettled(seeds.map((seed) => pushOn(url, numbers(seed), taken)));
    await wait(150 + round * 83);
    await registry.kill();
    for (const outcome of await pushing) {
      const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
      assert.ok(!(reason instanceof assert.AssertionError), String(reason));
    }

    await assertServed(t, folder, taken);
    takenInAll += taken.size;
    if (round % 2 === 0) continue;
    // The next rounds have to make links and bytes anew.
    await assertCollectable(t, folder);
    taken.clear();
  }

  assert.ok(takenInAll >= kills, `only ${takenInAll} blobs were taken`);
});
