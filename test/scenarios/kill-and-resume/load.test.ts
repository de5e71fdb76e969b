/** `slipway load` is killed at every entry and at twenty moments; the run after it moves nothing twice. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Digest } from '../../../src/oci/digest.ts';
import { startRun } from '../../../src/shared/run.ts';
import { startRegistry, type TestRegistry } from '../../support/start-registry.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { filesBelow } from './folder-facts.ts';
import { killTests } from './kill-tests.ts';
import type { Victim } from './kills.ts';
import { bundledWorld, siteText } from './world.ts';

const run = startRun();

async function loadIn(t: TestContext): Promise<Victim> {
  const { throttle, bundle } = await bundledWorld(t);
  return {
    throttle,
    async prepare() {
      const folder = await tempDir(t);
      const site = await startRegistry(t, { faults: [throttle.fault] });
      await writeFile(join(folder, 'site.yaml'), siteText(site.host));
      return {
        folder,
        args: ['load', bundle, '--site', 'site.yaml'],
        finished: async () => new Set([...(await blobsOf(site)), ...(await manifestsOf(site))]),
        fingerprint: async () =>
          JSON.stringify([(await blobsOf(site)).sort(), await manifestsOf(site)]),
        leftovers: async () => (await filesBelow(folder)).filter((name) => name !== 'site.yaml'),
        async discard() {
          for (const digest of await blobsOf(site)) await site.store.remove(digest, run);
          await site.stop();
        },
      };
    },
  };
}

async function blobsOf(site: TestRegistry): Promise<Digest[]> {
  const found: Digest[] = [];
  for await (const { digest } of site.store.list(run)) found.push(digest);
  return found;
}

/** As they are put: by digest and by tag. */
async function manifestsOf({ repositories }: TestRegistry): Promise<string[]> {
  const found: string[] = [];
  for (const repository of await repositories.repositories()) {
    const manifests = await repositories.manifests(repository);
    const references = [
      ...manifests.map(({ digest }) => digest),
      ...((await repositories.tags(repository)) ?? []),
    ];
    found.push(...references.map((reference) => `${repository}/manifests/${reference}`));
  }
  return found.sort();
}

killTests('load', loadIn);
