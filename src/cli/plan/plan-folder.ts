import { mkdir, mkdtemp, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLock } from '../../content/lock-file.ts';
import { PlanPartialForeign } from '../../lock/errors.ts';
import { ReadingJournal } from '../../lock/reading-journal.ts';
import { writeFileAtomic } from '../../shared/atomic-file.ts';
import { systemCode } from '../../shared/errors.ts';
import { lstatIfThere } from '../../shared/lstat-if-there.ts';
import { outputPlaceOf } from '../../shared/output-place.ts';
import { isMarked, partialMark } from '../../shared/partial-mark.ts';

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
   * STORE_LOCKED, OUTPUT_NOT_A_FILE, PLAN_PARTIAL_FOREIGN.
   */
  static async open(lockPath: string, tempFolder: string): Promise<PlanFolder> {
    const root = await folderFor(lockPath, tempFolder);
    await requireOurs(root);
    await mkdir(root, { recursive: true });
    const release = await takeLock(root, join(root, lockName));
    try {
      await mark(root);
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
    if (!isOfUse) {
      await rm(join(this.#root, journalName), { force: true });
      await rm(join(this.#root, partialMark), { force: true });
    }
    await this.#release();
    if (!isOfUse) await removeEmpty(this.#root);
  }
}

interface Opened {
  readonly cache: ReadingJournal;
  readonly release: () => Promise<void>;
}

/** Nothing is removed or written where something else lies: behind a link, or in a folder without our mark. */
async function requireOurs(root: string): Promise<void> {
  const found = await lstatIfThere(root);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new PlanPartialForeign({ path: root, why: 'it is no folder' });
  if (await isMarked(root)) return;
  // The lock alone is that of a plan which makes or removes its folder just now.
  const stray = (await readdir(root)).find((name) => !name.startsWith(lockName));
  if (stray === undefined) return;
  throw new PlanPartialForeign({ path: root, why: `${stray} was not made by slipway` });
}

async function mark(root: string): Promise<void> {
  const file = await open(join(root, partialMark), 'a', 0o644);
  await file.close();
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
