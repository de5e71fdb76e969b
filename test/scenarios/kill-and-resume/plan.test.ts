import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { tempDir } from '../../support/temp-dir.ts';
import { digestsIn, filesBelow, fingerprintOf } from './folder-facts.ts';
import { killAtEveryEntry, killAtMoments, type Victim } from './kills.ts';
import { startWorld, writeDocuments } from './world.ts';

const moments = 20;

async function planIn(t: TestContext): Promise<Victim> {
  const world = await startWorld(t);
  return {
    throttle: world.throttle,
    async prepare() {
      const folder = await tempDir(t);
      await writeDocuments(world, folder);
      const lock = join(folder, 'sample.lock.yaml');
      return {
        folder,
        args: ['plan', 'release.yaml', 'policy.yaml'],
        finished: async () => new Set(digestsIn(await filesBelow(`${lock}.partial`))),
        fingerprint: () => fingerprintOf(lock),
        leftovers: async () =>
          (await filesBelow(folder)).filter(
            (name) => !['policy.yaml', 'release.yaml', 'sample.lock.yaml'].includes(name),
          ),
      };
    },
  };
}

suite('plan', { concurrency: 2 }, () => {
  test('killed at every entry of its cache, it goes on and reads nothing twice (P4)', async (t) => {
    const { kills, entries } = await killAtEveryEntry(await planIn(t));

    t.diagnostic(`${kills} kills, ${entries} entries`);
    assert.ok(kills >= entries - 2, `${kills} kills for ${entries} entries`);
  });

  test('killed at any moment, the second run makes the same Lock (P4, P9)', async (t) => {
    const inTransfers = await killAtMoments(await planIn(t), moments);

    t.diagnostic(`${inTransfers} of ${moments} kills in transfers`);
    assert.ok(inTransfers >= moments / 2, `only ${inTransfers} of ${moments} kills in transfers`);
  });
});
