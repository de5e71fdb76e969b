/** `slipway bundle create` is killed at every entry and at twenty moments; the run after it moves nothing twice. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { tempDir } from '../../support/temp-dir.ts';
import { copyOf, digestsIn, filesBelow, fingerprintOf, finishedPaths } from './folder-facts.ts';
import { killTests } from './kill-tests.ts';
import type { Subject, Victim } from './kills.ts';
import { lockedWorld } from './world.ts';

type Form = 'sample.bundle' | 'sample.tar';

async function createIn(t: TestContext, form: Form): Promise<Victim> {
  const { throttle, lock, policy, fileDigest } = await lockedWorld(t);
  const given = ['sample.lock.yaml', 'policy.yaml'] as const;
  const subjectIn = (folder: string): Subject => {
    const bundle = join(folder, form);
    return {
      folder,
      args: ['bundle', 'create', given[0], '--policy', given[1], '--own-use', '-o', form],
      async finished() {
        const paths = await finishedPaths(bundle);
        const files = paths.filter((path) => path.startsWith('files/'));
        return new Set([...paths, ...digestsIn(paths), ...files.map(() => fileDigest)]);
      },
      fingerprint: () => fingerprintOf(bundle),
      leftovers: async () =>
        (await filesBelow(folder)).filter(
          (name) =>
            !given.some((one) => one === name) && name !== form && !name.startsWith(`${form}/`),
        ),
      fork: async () => subjectIn(await copyOf(t, folder)),
      discard: () => rm(bundle, { recursive: true }),
    };
  };
  return {
    throttle,
    async prepare() {
      const folder = await tempDir(t);
      await writeFile(join(folder, 'sample.lock.yaml'), lock);
      await writeFile(join(folder, 'policy.yaml'), policy);
      return subjectIn(folder);
    },
  };
}

for (const form of ['sample.bundle', 'sample.tar'] as const) {
  killTests(`bundle create -o ${form}`, (t) => createIn(t, form));
}
