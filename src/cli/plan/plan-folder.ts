import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DirStore, openDirStore } from '../../content/dir-store.ts';
import { syncFolder, writeFileAtomic } from '../../shared/atomic-file.ts';
import { startRun } from '../../shared/run.ts';

/** Hidden, since the store takes a folder with anything else in it for somebody's own. */
const draftName = '.lock.yaml';

/**
 * What a plan has read so far, and the Lock while it is written: a folder beside the Lock that is
 * gone once the Lock is there. A plan that is killed goes on from it (promise P4).
 */
export class PlanFolder implements AsyncDisposable {
  /** Manifests and configs. */
  readonly cache: DirStore;
  readonly #lockPath: string;

  private constructor(lockPath: string, cache: DirStore) {
    this.#lockPath = lockPath;
    this.cache = cache;
  }

  /** `/x/a.lock.yaml` → the folder `/x/a.lock.yaml.partial`. Rejects with STORE_LOCKED. */
  static async open(lockPath: string): Promise<PlanFolder> {
    const cache = await openDirStore(`${lockPath}.partial`, { write: true });
    return new PlanFolder(lockPath, cache);
  }

  /** Gives the Lock its name, whole. */
  async publish(text: string): Promise<void> {
    const draft = join(this.cache.root, draftName);
    await writeFileAtomic(draft, text);
    await rename(draft, this.#lockPath);
    await syncFolder(dirname(this.#lockPath));
  }

  /** Call once the Lock is there: what was read is of no more use. */
  async remove(): Promise<void> {
    // Before the mark of a store: killed in between, the folder can still be opened.
    await rm(join(this.cache.root, 'blobs'), { recursive: true, force: true });
    await this.cache.close();
    await rm(this.cache.root, { recursive: true, force: true });
  }

  /** After a failure what was read stays for the next plan; a folder without any of it is no help. */
  async [Symbol.asyncDispose](): Promise<void> {
    const isEmpty = await this.#holdsNothing();
    await this.cache.close();
    if (isEmpty) await rm(this.cache.root, { recursive: true, force: true });
  }

  async #holdsNothing(): Promise<boolean> {
    for await (const _ of this.cache.list(startRun())) return false;
    return true;
  }
}
