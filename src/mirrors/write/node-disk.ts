import { mkdir, rm, rmdir } from 'node:fs/promises';
import { type DurableFiles, systemFiles } from '../../shared/durable-files.ts';

/**
 * Every call that changes something on a node. Tests put one in its place that ends the process, or
 * says that the disk is full, at each of them in turn.
 */
export interface NodeDisk extends DurableFiles {
  /** With all folders above it; one that is there already is none the worse. */
  mkdir(path: string, mode?: number): Promise<unknown>;
  /** A file, or a folder with all that is in it; what is not there is none the worse. */
  remove(path: string): Promise<void>;
  /** An empty folder only. */
  rmdir(path: string): Promise<void>;
}

/** The machine's own file system. */
export const systemDisk: NodeDisk = {
  ...systemFiles,
  mkdir: (path, mode) => mkdir(path, { recursive: true, ...(mode !== undefined && { mode }) }),
  remove: (path) => rm(path, { recursive: true, force: true }),
  rmdir,
};
