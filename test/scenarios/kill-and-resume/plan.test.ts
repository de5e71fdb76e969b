/** `slipway plan` is killed at every entry and at twenty moments; the run after it moves nothing twice. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { tempDir } from '../../support/temp-dir.ts';
import { digestsIn, filesBelow, fingerprintOf } from './folder-facts.ts';
import { killTests } from './kill-tests.ts';
import type { Victim } from './kills.ts';
import { startWorld, writeDocuments } from './world.ts';

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

killTests('plan', planIn);
