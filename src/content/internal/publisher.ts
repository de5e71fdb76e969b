import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DurableFiles } from '../../shared/durable-files.ts';
import { DurableFolders } from '../../shared/durable-folders.ts';
import type { Clock } from '../../shared/ports.ts';
import { KeyedLock, Slots } from '../../shared/slots.ts';

/** Each waiting sync holds one of Node's four threads for files; pulls need some as well. */
const parallelSyncs = 2;

/** Gives blobs their names, for a whole store, so that what was put survives a power cut. */
export class Publisher {
  readonly files: DurableFiles;
  /** Says when a blob was put. */
  readonly clock: Clock;
  readonly #folders: DurableFolders;
  readonly #names = new KeyedLock();
  readonly #syncs = new Slots(parallelSyncs);

  constructor(files: DurableFiles, clock: Clock) {
    this.files = files;
    this.clock = clock;
    this.#folders = new DurableFolders(files);
  }

  /** Waits until the bytes of a file are on the disk; for those on their way, its length need not be. */
  flush(file: FileHandle, how: 'sync' | 'datasync'): Promise<void> {
    return this.#syncs.run(() => file[how]());
  }

  /** Renames a file whose bytes are on the disk to its final name. */
  publish(temporary: string, name: string): Promise<void> {
    return this.#names.run(name, async () => {
      const folder = dirname(name);
      await this.#folders.make(folder);
      await this.files.rename(temporary, name);
      await this.#folders.sync(folder);
    });
  }

  /** A name that somebody is giving just now can be seen before it is certain to stay: wait for that. */
  settled(name: string): Promise<void> {
    return this.#names.run(name, async () => {});
  }
}
