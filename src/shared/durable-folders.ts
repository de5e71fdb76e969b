import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './atomic-file.ts';
import { type DurableFiles, systemFiles } from './durable-files.ts';
import { SharedRounds } from './shared-rounds.ts';
import { KeyedLock } from './slots.ts';

/**
 * Folders whose entries survive a power cut: `await folders.make('/srv/a/b')`, rename something into it,
 * `await folders.sync('/srv/a/b')`.
 *
 * Callers that ask for the same folder while it is being synced share the next sync
 * ({@link SharedRounds}), so a hundred files that come together cost two. One object for all who write below the same folder.
 */
export class DurableFolders {
  readonly #files: DurableFiles;
  readonly #syncs = new Map<string, SharedRounds>();
  readonly #making = new KeyedLock();

  constructor(files: DurableFiles = systemFiles) {
    this.#files = files;
  }

  /** Makes a folder and those above it; what it had to make is there to stay. */
  make(folder: string): Promise<void> {
    const path = resolve(folder);
    // One at a time: whoever finds a folder already made may rely on it at once.
    return this.#making.run('', async () => {
      const first = await mkdir(path, { recursive: true });
      if (first === undefined) return;
      for (let made = path; made.length >= first.length; made = dirname(made)) {
        await this.sync(dirname(made));
      }
    });
  }

  /** Resolves once everything that was renamed into `folder` before the call survives a power cut. */
  async sync(folder: string): Promise<void> {
    const syncs =
      this.#syncs.get(folder) ?? new SharedRounds(() => syncFolder(folder, this.#files));
    this.#syncs.set(folder, syncs);
    try {
      await syncs.next();
    } finally {
      if (syncs.isIdle) this.#syncs.delete(folder);
    }
  }
}
