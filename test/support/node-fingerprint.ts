import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Everything below a node's root, one line each: folders, links, and files with their modes, owners and bytes. What
 * Slipway remembers for itself is left out unless `withState`.
 */
export async function nodeFingerprint(root: string, withState = false): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const lines: string[] = [];
  for (const entry of entries) {
    const place = join(entry.parentPath, entry.name);
    const path = relative(root, place);
    if (!withState && /^var(?:$|\/lib(?:$|\/slipway))/.test(path)) continue;
    const { mode, uid, gid } = await lstat(place);
    const bits = (mode & 0o7777).toString(8);
    lines.push(`${path} ${bits} ${uid}:${gid} ${await contentOf(entry, place)}`);
  }
  return lines.sort();
}

async function contentOf(entry: Dirent, place: string): Promise<string> {
  if (entry.isSymbolicLink()) return `-> ${await readlink(place)}`;
  return entry.isFile() ? (await readFile(place)).toString('base64') : '/';
}
