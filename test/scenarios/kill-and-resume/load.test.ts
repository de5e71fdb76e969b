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
import type { Subject, Victim } from './kills.ts';
import { bundledWorld, siteText } from './world.ts';

const run = startRun();

async function loadIn(t: TestContext): Promise<Victim> {
  const { throttle, bundle } = await bundledWorld(t);
  const start = () => startRegistry(t, { faults: [throttle.fault] });
  const subjectOf = async (site: TestRegistry): Promise<Subject> => {
    const folder = await tempDir(t);
    await writeFile(join(folder, 'site.yaml'), siteText(site.host));
    return {
      folder,
      args: ['load', bundle, '--site', 'site.yaml'],
      finished: async () => new Set([...(await blobsOf(site)), ...(await manifestsOf(site))]),
      fingerprint: async () =>
        JSON.stringify([(await blobsOf(site)).sort(), await manifestsOf(site)]),
      leftovers: async () => (await filesBelow(folder)).filter((name) => name !== 'site.yaml'),
      fork: async () => subjectOf(await copyContent(site, await start())),
      async discard() {
        for (const digest of await blobsOf(site)) await site.store.remove(digest, run);
        await site.stop();
      },
    };
  };
  return { throttle, prepare: async () => subjectOf(await start()) };
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

/** Fills an empty registry with what another one holds. */
async function copyContent(from: TestRegistry, to: TestRegistry): Promise<TestRegistry> {
  for await (const blob of from.store.list(run)) {
    await to.store.put(blob, await from.store.open(blob, run), run);
  }
  const blobs = await blobsOf(from);
  for (const repository of await from.repositories.repositories()) {
    await copyRepository(repository, blobs, from, to);
  }
  return to;
}

async function copyRepository(
  repository: string,
  blobs: readonly Digest[],
  { repositories: from }: TestRegistry,
  { repositories: to }: TestRegistry,
): Promise<void> {
  for (const digest of blobs) {
    if (await from.holdsBlob(repository, digest)) await to.linkBlob(repository, digest);
  }
  for (const { digest } of await from.manifests(repository)) {
    const entry = await from.findManifest(repository, digest);
    if (entry !== undefined) await to.putManifest(repository, entry);
  }
  for (const tag of (await from.tags(repository)) ?? []) {
    const digest = await from.resolve(repository, tag);
    if (digest !== undefined) await to.setTag(repository, tag, digest);
  }
}

killTests('load', loadIn);
