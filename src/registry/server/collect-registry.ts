import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openDirStore } from '../../content/dir-store.ts';
import { LayoutInvalid } from '../../content/errors.ts';
import { collectGarbage, type GarbageReport } from '../../content/garbage.ts';
import type { Clock } from '../../shared/ports.ts';
import type { Run } from '../../shared/run.ts';
import { type DirRegistry, openDirRegistry } from './dir-registry.ts';
import { DirRepositories } from './dir-repositories.ts';
import { garbageRoots } from './garbage-roots.ts';

/** How a registry's folder is collected. */
export interface CollectOptions {
  /** Only say what would go; changes nothing and needs no lock, so the registry may be serving. */
  readonly dryRun: boolean;
  readonly clock: Clock;
}

/**
 * Frees what no manifest of a registry's folder needs: `await collectRegistry('/srv/registry', options, run)`.
 *
 * Blobs of the last hour stay, since the manifest of a push comes last. Rejects with LAYOUT_INVALID (also
 * for a bundle, which has no repositories and would lose everything), STORE_LOCKED while a registry
 * serves it, GARBAGE_UNSURE.
 */
export async function collectRegistry(
  root: string,
  { dryRun, clock }: CollectOptions,
  run: Run,
): Promise<GarbageReport> {
  const folder = join(root, 'repositories');
  const readable = await openDirStore(root);
  if (!(await isFolder(folder))) {
    const reason = 'it has no repositories, so it is not the folder of a registry';
    throw new LayoutInvalid({ path: readable.root, reason });
  }
  if (dryRun) {
    const repositories = new DirRepositories(folder, { isExclusive: false });
    const roots = await garbageRoots(repositories);
    return collectGarbage(readable, { roots, clock, dryRun }, run);
  }
  const registry = await openDirRegistry(root);
  try {
    const roots = await garbageRoots(registry.repositories);
    const report = await collectGarbage(registry.content, { roots, clock }, run);
    await unlinkGone(registry, run);
    return report;
  } finally {
    await registry.close();
  }
}

/** A link whose bytes are gone would come to life again when somebody else pushes the same blob. */
async function unlinkGone({ repositories, content }: DirRegistry, run: Run): Promise<void> {
  for (const repository of await repositories.repositories()) {
    for (const digest of await repositories.blobs(repository)) {
      if ((await content.find(digest, run)) !== undefined) continue;
      await repositories.unlinkBlob(repository, digest);
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
