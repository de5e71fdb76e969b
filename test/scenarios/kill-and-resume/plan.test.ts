/** `slipway plan` is killed at every entry and at twenty moments; the run after it moves nothing twice. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { tempDir } from '../../support/temp-dir.ts';
import { copyOf, filesBelow, fingerprintOf } from './folder-facts.ts';
import { killTests } from './kill-tests.ts';
import type { Subject, Victim } from './kills.ts';
import { startWorld, writeDocuments } from './world.ts';

async function planIn(t: TestContext): Promise<Victim> {
  const world = await startWorld(t);
  const subjectIn = (folder: string): Subject => {
    const lock = join(folder, 'sample.lock.yaml');
    return {
      folder,
      args: ['plan', 'release.yaml', 'policy.yaml'],
      finished: () => readDigests(join(`${lock}.partial`, 'read.journal')),
      fingerprint: () => fingerprintOf(lock),
      leftovers: async () =>
        (await filesBelow(folder)).filter(
          (name) => !['policy.yaml', 'release.yaml', 'sample.lock.yaml'].includes(name),
        ),
      fork: async () => subjectIn(await copyOf(t, folder)),
    };
  };
  return {
    throttle: world.throttle,
    async prepare() {
      const folder = await tempDir(t);
      await writeDocuments(world, folder);
      return subjectIn(folder);
    },
  };
}

/** What the killed plan had read whole: each record of its journal begins with digest and length. */
async function readDigests(journal: string): Promise<Set<string>> {
  const text = await readFile(journal, 'latin1').catch(() => '');
  const digests = new Set<string>();
  let at = 0;
  for (;;) {
    const [head, digest, length] =
      /^(sha256:[0-9a-f]{64}) ([0-9]+)\n/.exec(text.slice(at, at + 160)) ?? [];
    if (head === undefined || digest === undefined) return digests;
    at += head.length + Number(length) + 1;
    if (at > text.length) return digests;
    digests.add(digest);
  }
}

killTests('plan', planIn);
