/** What stands on a node where rules are written, before anything is done about it. */

import { lstat, readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../shared/errors.ts';
import type { ConfigTree } from '../config-tree.ts';
import { placeInRoot } from '../directory-tree.ts';
import type { CompiledRules } from '../runtime-rules.ts';
import { type FoundFile, type FoundFiles, pathsOfInterest } from './plan-write.ts';

/**
 * The wanted files, their copies, and all other rule files, as they are now. Folders of the path may
 * be links, which the runtime follows too; a link in place of the file itself is `blocked`: writing
 * through it would change a file that nobody named.
 */
export async function findFiles(
  root: string,
  tree: ConfigTree,
  { wanted, existing }: CompiledRules,
): Promise<FoundFiles> {
  const paths = new Set([...wanted.flatMap(({ path }) => pathsOfInterest(path)), ...existing]);
  const found = new Map<string, FoundFile>();
  for (const path of paths) found.set(path, await findFile(root, tree, path));
  return found;
}

async function findFile(root: string, tree: ConfigTree, path: string): Promise<FoundFile> {
  const link = await linkAt(root, path);
  if (link !== undefined) return { kind: 'blocked', reason: `is a symbolic link to ${link}` };
  const entry = await tree.read(path);
  if (entry.kind === 'missing') return { kind: 'none' };
  if (entry.kind === 'folder') return { kind: 'blocked', reason: 'is a folder' };
  if (entry.kind === 'unreadable') return { kind: 'blocked', reason: entry.reason };
  return { kind: 'text', text: Buffer.from(entry.bytes).toString('utf8') };
}

/** Where a link at the very end of the path leads; undefined when there is none. */
async function linkAt(root: string, path: string): Promise<string | undefined> {
  const folder = await placeInRoot(root, dirname(path));
  if (folder === undefined) return undefined;
  const place = join(folder, basename(path));
  try {
    return (await lstat(place)).isSymbolicLink() ? await readlink(place) : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // what is not there or cannot be looked at: reading it says why
  }
}
