import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Everything below a node's root, one line each: folders, and files with their modes and bytes. What
 * Slipway remembers for itself is left out unless `withState`.
 */
export async function nodeFingerprint(root: string, withState = false): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const lines: string[] = [];
  for (const entry of entries) {
    const place = join(entry.parentPath, entry.name);
    const path = relative(root, place);
    if (!withState && /^var(?:$|\/lib(?:$|\/slipway))/.test(path)) continue;
    const mode = ((await lstat(place)).mode & 0o777).toString(8);
    const content = entry.isFile() ? ` ${(await readFile(place)).toString('base64')}` : '/';
    lines.push(`${path} ${mode}${content}`);
  }
  return lines.sort();
}
