import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './atomic-file.ts';
import { type DurableFiles, systemFiles } from './durable-files.ts';
import { KeyedLock } from './slots.ts';

/**
 * Folders whose entries survive a power cut: `await folders.make('/srv/a/b')`, rename something into it,
 * `await folders.sync('/srv/a/b')`.
 *
 * Callers that ask for the same folder while it is being synced share the next sync, so a hundred files
 * that come together cost two. One object for all who write below the same folder.
 */
export class DurableFolders {
  readonly #files: DurableFiles;
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();
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
  sync(folder: string): Promise<void> {
    const running = this.#running.get(folder);
    if (running === undefined) return this.#start(folder);
    // The one under way may have begun before the caller's rename, so it does not count for the caller.
    const next = this.#next.get(folder) ?? this.#after(running, folder);
    this.#next.set(folder, next);
    return next;
  }

  #after(running: Promise<void>, folder: string): Promise<void> {
    const start = () => {
      this.#next.delete(folder);
      return this.#start(folder);
    };
    return running.then(start, start);
  }

  #start(folder: string): Promise<void> {
    const work = syncFolder(folder, this.#files).finally(() => {
      if (this.#running.get(folder) === work) this.#running.delete(folder);
    });
    this.#running.set(folder, work);
    return work;
  }
}
