import { createHash } from 'node:crypto';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { tempDir } from '../../support/temp-dir.ts';

/** Paths of all files below a folder, sorted; none if it is not there. */
export async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort();
  } catch {
    return []; // it is being renamed, or was never made
  }
}

/** A folder with the same files, in the same state. */
export async function copyOf(t: TestContext, folder: string): Promise<string> {
  const copy = await tempDir(t);
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** Names, modes and contents of a file or folder as one digest. */
export async function fingerprintOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const isFolder = (await stat(path)).isDirectory();
  for (const name of isFolder ? await filesBelow(path) : ['']) {
    const { mode } = await stat(join(path, name));
    hash.update(`${name} ${mode.toString(8)}\n`).update(await readFile(join(path, name)));
  }
  return hash.digest('hex');
}

/** `blobs/sha256/ab…` → `sha256:ab…`, for each of them; other paths are left out. */
export function digestsIn(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const hex = /(?:^|\/)blobs\/sha256\/([0-9a-f]{64})$/.exec(path)?.[1];
    return hex === undefined ? [] : [`sha256:${hex}`];
  });
}

/** What is finished of a bundle that is being made: in a folder what bears its name, else by the journal. */
export async function finishedPaths(bundle: string): Promise<string[]> {
  if (!bundle.endsWith('.tar')) {
    const partial = await filesBelow(`${bundle}.partial`);
    const found = partial.length > 0 ? partial : await filesBelow(bundle);
    return found.filter((path) => !path.endsWith('.tmp'));
  }
  const journal = await readFile(`${bundle}.partial.journal`, 'utf8').catch(() => '');
  const whole = journal.slice(0, journal.lastIndexOf('\n') + 1);
  return [...whole.matchAll(/"path":"([^"]+)"/g)].map(([, path = '']) => path);
}
