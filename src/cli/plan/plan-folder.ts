import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DirStore, openDirStore } from '../../content/dir-store.ts';
import { writeFileAtomic } from '../../shared/atomic-file.ts';
import { outputPlaceOf } from '../../shared/output-place.ts';
import { startRun } from '../../shared/run.ts';

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

  /** `/x/a.lock.yaml` → the folder `/x/a.lock.yaml.partial`. Rejects with STORE_LOCKED, OUTPUT_NOT_A_FILE. */
  static async open(lockPath: string): Promise<PlanFolder> {
    const cache = await openDirStore(await folderFor(lockPath), { write: true });
    return new PlanFolder(lockPath, cache);
  }

  /** Gives the Lock its name, whole. */
  publish(text: string): Promise<void> {
    return writeFileAtomic(this.#lockPath, text, undefined, this.cache.root);
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
    const isOfUse = this.cache.root === keptFolder(this.#lockPath) && !(await this.#holdsNothing());
    await this.cache.close();
    if (!isOfUse) await rm(this.cache.root, { recursive: true, force: true });
  }

  async #holdsNothing(): Promise<boolean> {
    for await (const _ of this.cache.list(startRun())) return false;
    return true;
  }
}

/** Nothing may be made beside a device; a run that is killed while it prints starts anew. */
async function folderFor(lockPath: string): Promise<string> {
  const { kind } = await outputPlaceOf(lockPath);
  return kind === 'file' ? keptFolder(lockPath) : mkdtemp(join(tmpdir(), 'slipway-plan-'));
}

function keptFolder(lockPath: string): string {
  return `${lockPath}.partial`;
}
