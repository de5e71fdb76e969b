import { constants } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../shared/errors.ts';
import type { ConfigTree, TreeEntry, TreeName } from './config-tree.ts';
import { compareBytes } from './go/byte-order.ts';
import { pathParts } from './go/go-path.ts';
import { PERMISSION_DENIED } from './permission-denied.ts';

/** Larger than any configuration; what is larger is not read. */
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_LINKS = 40;

/**
 * A node's files below a folder that holds its root: `directoryTree('/mnt/node-7')` reads
 * `/etc/hosts` from `/mnt/node-7/etc/hosts`. Symbolic links are followed as on the node itself, so
 * an absolute one starts at that folder, and `..` never leads out of it.
 */
export function directoryTree(root: string): ConfigTree {
  return {
    read: async (path) => {
      const place = await resolve(root, path);
      return place.kind === 'found' ? readEntry(place.path) : place;
    },
    list: async (path) => {
      const place = await resolve(root, path);
      return place.kind === 'found' ? listNames(root, path, place.path) : [];
    },
  };
}

/**
 * Where a path of the node lies on this machine, links resolved; a missing last part is allowed.
 * `undefined` when the path cannot exist (a file in its way, links in a circle).
 */
export async function placeInRoot(root: string, path: string): Promise<string | undefined> {
  const place = await resolve(root, path, 'may be missing');
  return place.kind === 'found' ? place.path : undefined;
}

type Place =
  | { readonly kind: 'found'; readonly path: string }
  | Exclude<TreeEntry, { kind: 'file' | 'folder' }>;

async function resolve(root: string, path: string, missing?: 'may be missing'): Promise<Place> {
  const walk = new LinkWalk(root, path);
  for (;;) {
    const step = await walk.step(missing !== undefined);
    if (step !== undefined) return step;
  }
}

/** Goes down a path one name at a time, since the system itself would follow links out of the root. */
class LinkWalk {
  readonly #root: string;
  readonly #todo: string[];
  #at: readonly string[] = [];
  #links = 0;

  constructor(root: string, path: string) {
    this.#root = root;
    this.#todo = pathParts(path);
  }

  /** Handles the next name; the place when nothing is left to do. */
  async step(mayBeMissing: boolean): Promise<Place | undefined> {
    const name = this.#todo.shift();
    if (name === undefined) return { kind: 'found', path: join(this.#root, ...this.#at) };
    if (name === '..') {
      this.#at = this.#at.slice(0, -1);
      return undefined;
    }
    const next = [...this.#at, name];
    const path = join(this.#root, ...next);
    try {
      if ((await lstat(path)).isSymbolicLink()) return await this.#follow(path);
    } catch (error) {
      // A name that the file system cannot have is not there either.
      const isMissing = ['ENOENT', 'ENAMETOOLONG'].includes(systemCode(error) ?? '');
      if (!(isMissing && mayBeMissing)) return entryForError(error);
    }
    this.#at = next;
    return undefined;
  }

  async #follow(path: string): Promise<Place | undefined> {
    this.#links += 1;
    if (this.#links > MOST_LINKS) {
      return { kind: 'unreadable', reason: 'too many levels of symbolic links' };
    }
    const target = await readlink(path);
    if (target.startsWith('/')) this.#at = [];
    this.#todo.unshift(...pathParts(target));
    return undefined;
  }
}

async function readEntry(path: string): Promise<TreeEntry> {
  try {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      if (stat.isDirectory()) return { kind: 'folder' };
      if (!stat.isFile()) return { kind: 'unreadable', reason: 'not a regular file' };
      if (stat.size > MOST_BYTES) return { kind: 'unreadable', reason: 'file too large' };
      return { kind: 'file', bytes: await file.readFile() };
    } finally {
      await file.close();
    }
  } catch (error) {
    return entryForError(error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: 'not a directory',
  EACCES: PERMISSION_DENIED,
  EPERM: 'operation not permitted',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
};

function entryForError(error: unknown): Exclude<TreeEntry, { kind: 'file' | 'folder' }> {
  const code = systemCode(error);
  if (code === undefined) throw error;
  if (code === 'ENOENT') return { kind: 'missing' };
  return { kind: 'unreadable', reason: reasons[code] ?? code };
}

async function listNames(root: string, path: string, place: string): Promise<readonly TreeName[]> {
  const names: TreeName[] = [];
  for (const entry of await readFolder(place)) {
    const isFolder = entry.isSymbolicLink()
      ? await isFolderInRoot(root, `${path}/${entry.name}`)
      : entry.isDirectory();
    names.push({ name: entry.name, isFolder });
  }
  return names.sort((a, b) => compareBytes(a.name, b.name));
}

async function readFolder(place: string) {
  try {
    return await readdir(place, { withFileTypes: true });
  } catch (error) {
    entryForError(error);
    return [];
  }
}

async function isFolderInRoot(root: string, path: string): Promise<boolean> {
  const place = await resolve(root, path);
  return place.kind === 'found' && opensAsFolder(place.path);
}

/** Certificates are mostly links to files: none of them is read to know that it is no folder. */
async function opensAsFolder(path: string): Promise<boolean> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY;
  try {
    await (await open(path, flags)).close();
    return true;
  } catch (error) {
    entryForError(error);
    return false;
  }
}
