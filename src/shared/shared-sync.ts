/** The part of an open file that is used here. */
export interface SyncableFile {
  datasync(): Promise<void>;
}

/**
 * One fsync for many writers of a file: who asks while one is under way shares the next, which covers
 * all that was written before it began. The kernel tells once that it could not write, and perhaps not to
 * the one whose bytes are lost: after a failure every further call fails too.
 */
export class SharedSync {
  readonly #file: SyncableFile;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(file: SyncableFile) {
    this.#file = file;
  }

  /** Resolves when everything that was written before the call survives a power cut. */
  run(): Promise<void> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  #after(before: Promise<void>): Promise<void> {
    const syncing = before.then(() => {
      this.#next = undefined;
      return this.#file.datasync();
    });
    this.#running = syncing;
    return syncing;
  }
}
