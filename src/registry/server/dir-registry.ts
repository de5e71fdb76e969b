import { join } from 'node:path';
import { type DirStore, openDirStore } from '../../content/dir-store.ts';
import { DirRepositories } from './dir-repositories.ts';
import type { WritableStorage } from './registry-parts.ts';

/** A registry's folder, opened; `close` gives back its lock and may be called twice. */
export interface DirRegistry extends WritableStorage {
  readonly content: DirStore;
  readonly repositories: DirRepositories;
  close(): Promise<void>;
}

/**
 * Opens a registry's folder for pulls and pushes: `const storage = await openDirRegistry('/srv/r')`.
 *
 * `blobs/` and `oci-layout` are an OCI image layout, see {@link openDirStore}; `repositories/` says
 * which repository holds what, see {@link DirRepositories}. One process at a time (STORE_LOCKED).
 * What a killed process left unfinished is removed.
 */
export async function openDirRegistry(root: string): Promise<DirRegistry> {
  const content = await openDirStore(root, { write: true });
  const repositories = new DirRepositories(join(root, 'repositories'), { isExclusive: true });
  await repositories.tidy();
  return { access: 'read-write', content, repositories, close: () => content.close() };
}
