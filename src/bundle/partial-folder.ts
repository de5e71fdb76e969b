import type { Dirent } from 'node:fs';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { lstatIfThere } from '../shared/lstat-if-there.ts';
import { isMarked, partialMark } from '../shared/partial-mark.ts';
import type { Run } from '../shared/run.ts';
import type { BundledFile } from './bundle-manifest.ts';
import { BundlePartialForeign } from './errors.ts';
import { foldersOf } from './folders-of.ts';
import { isWholeFile } from './whole-entries.ts';

/**
 * Keeps the whole entries of an earlier run and removes everything else: other blobs, torn writes. Gives
 * the paths of what was kept; none if the folder is not there.
 *
 * Nothing is removed from a folder without the mark: BUNDLE_PARTIAL_FOREIGN unless all of it is wanted, as
 * in a folder that was killed right before it got its final name.
 */
export async function keepWholeEntries(
  folder: string,
  files: readonly BundledFile[],
  run: Run,
): Promise<Set<string>> {
  const found = await lstatIfThere(folder);
  if (found === undefined) return new Set();
  // Through a link it would be somebody else's folder that is cleaned up.
  if (!found.isDirectory()) throw foreign(folder, 'it is no folder');
  const { present, strays } = await sortOut(folder, files, run);
  if (strays.length > 0 && !(await isMarked(folder))) {
    throw foreign(folder, `${strays[0]} was not made by slipway`);
  }
  for (const stray of strays) await remove(join(folder, stray));
  return present;
}

interface Sorted {
  readonly present: Set<string>;
  /** From the deepest up, so that a folder is empty when its turn comes. */
  readonly strays: readonly string[];
}

async function sortOut(folder: string, files: readonly BundledFile[], run: Run): Promise<Sorted> {
  const wanted = new Map(files.map((file) => [file.path, file]));
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const present = new Set<string>();
  const strays: string[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  run.expect({ items: entries.length });
  for (const entry of entries) {
    run.signal.throwIfAborted();
    const path = pathIn(folder, entry);
    const want = wanted.get(path);
    if (entry.isDirectory()) {
      if (!folders.has(path)) strays.push(path);
    } else if (want !== undefined && (await isWholeFile(join(folder, path), want, run))) {
      present.add(path);
    } else if (path !== partialMark) {
      strays.push(path);
    }
    run.advance({ items: 1 });
  }
  return { present, strays: strays.sort((a, b) => b.length - a.length) };
}

function pathIn(folder: string, entry: Dirent): string {
  return relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
}

async function remove(path: string): Promise<void> {
  if ((await lstat(path)).isDirectory()) await rmdir(path);
  else await rm(path);
}

function foreign(path: string, why: string) {
  return new BundlePartialForeign({ path, why });
}
