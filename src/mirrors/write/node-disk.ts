import { mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type DurableFiles, systemFiles } from '../../shared/durable-files.ts';
import { systemCode } from '../../shared/errors.ts';

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
  mkdir: makeFolders,
  remove: (path) => rm(path, { recursive: true, force: true }),
  rmdir,
};

/** Node's own `recursive` says ENOENT where a file system is read-only. */
async function makeFolders(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolders(dirname(path), mode);
    await makeOne(path, mode);
  }
}

/** Somebody else may have made it meanwhile. */
async function makeOne(path: string, mode: number | undefined): Promise<void> {
  await mkdir(path, { mode }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}
