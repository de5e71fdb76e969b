import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLock } from '../../content/lock-file.ts';
import { ReadingJournal } from '../../lock/reading-journal.ts';
import { writeFileAtomic } from '../../shared/atomic-file.ts';
import { systemCode } from '../../shared/errors.ts';
import { outputPlaceOf } from '../../shared/output-place.ts';

const lockName = '.slipway-lock';
const journalName = 'read.journal';

/**
 * What a plan has read so far, and the Lock while it is written: a folder beside the Lock that is
 * gone once the Lock is there. A plan that is killed goes on from it (promise P4).
 */
export class PlanFolder implements AsyncDisposable {
  /** Manifests and configs. */
  readonly cache: ReadingJournal;
  readonly #lockPath: string;
  readonly #root: string;
  readonly #release: () => Promise<void>;
  #isDone = false;

  private constructor(lockPath: string, root: string, opened: Opened) {
    this.#lockPath = lockPath;
    this.#root = root;
    this.cache = opened.cache;
    this.#release = opened.release;
  }

  /**
   * `/x/a.lock.yaml` → the folder `/x/a.lock.yaml.partial`; for a device one in `tempFolder`. Rejects with
   * STORE_LOCKED, OUTPUT_NOT_A_FILE.
   */
  static async open(lockPath: string, tempFolder: string): Promise<PlanFolder> {
    const root = await folderFor(lockPath, tempFolder);
    await mkdir(root, { recursive: true });
    const release = await takeLock(root, join(root, lockName));
    try {
      await removeLeftovers(root);
      const cache = await ReadingJournal.open(join(root, journalName));
      return new PlanFolder(lockPath, root, { cache, release });
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Gives the Lock its name, whole. */
  publish(text: string): Promise<void> {
    return writeFileAtomic(this.#lockPath, text, undefined, this.#root);
  }

  /** Call once the Lock is there: what was read is of no more use. */
  remove(): Promise<void> {
    return this.#close(false);
  }

  /** After a failure what was read stays for the next plan; a folder without any of it is no help. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#close(this.#root === keptFolder(this.#lockPath) && !this.cache.isEmpty);
  }

  async #close(isOfUse: boolean): Promise<void> {
    if (this.#isDone) return;
    this.#isDone = true;
    await this.cache[Symbol.asyncDispose]();
    if (!isOfUse) await rm(join(this.#root, journalName), { force: true });
    await this.#release();
    if (!isOfUse) await removeEmpty(this.#root);
  }
}

interface Opened {
  readonly cache: ReadingJournal;
  readonly release: () => Promise<void>;
}

/** What a killed run left, but for the journal: pieces of its lock, and a Lock that was half written. */
async function removeLeftovers(root: string): Promise<void> {
  const names = await readdir(root);
  const leftovers = names.filter(
    (name) => name.startsWith(`${lockName}.`) || /^\..*\.tmp$/.test(name),
  );
  for (const name of leftovers) await rm(join(root, name), { force: true });
}

/** What somebody else has put there stays. */
async function removeEmpty(root: string): Promise<void> {
  try {
    await rmdir(root);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
  }
}

/** Nothing may be made beside a device; a run that is killed while it prints starts anew. */
async function folderFor(lockPath: string, tempFolder: string): Promise<string> {
  const { kind } = await outputPlaceOf(lockPath);
  return kind === 'file' ? keptFolder(lockPath) : mkdtemp(join(tempFolder, 'slipway-plan-'));
}

function keptFolder(lockPath: string): string {
  return `${lockPath}.partial`;
}
