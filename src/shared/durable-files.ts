import { type FileHandle, open, rename } from 'node:fs/promises';

/**
 * The calls that decide what a power cut leaves behind. Stores, bundles, journals and single files take
 * them from here, so that tests can see what was on the disk when a name was given. Not so the writer of
 * node rules (src/mirrors/write), which moves whole folders, and the lock file, which no power cut outlives.
 */
export interface DurableFiles {
  /** As `open` of node:fs/promises; the handle's `sync` and `datasync` count. */
  open(path: string, flags: string, mode?: number): Promise<FileHandle>;
  rename(from: string, to: string): Promise<void>;
}

/** The machine's own file system. */
export const systemFiles: DurableFiles = { open, rename };
