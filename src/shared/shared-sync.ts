import type { FileHandle } from 'node:fs/promises';

/**
 * One fsync for many writers of a file: who asks while one is under way shares the next, which covers
 * all that was written before it began.
 */
export class SharedSync {
  readonly #file: FileHandle;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Resolves when everything that was written before the call survives a power cut. */
  run(): Promise<void> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  #after(before: Promise<void>): Promise<void> {
    const syncing = before
      .catch(() => {}) // a failure belongs to those who asked for it
      .then(() => {
        this.#next = undefined;
        return this.#file.datasync();
      });
    this.#running = syncing;
    return syncing;
  }
}
