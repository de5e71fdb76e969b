import type { ConfigTree, TreeEntry, TreeName } from './config-tree.ts';
import { compareBytes } from './go/byte-order.ts';
import { pathParts } from './go/go-path.ts';

/**
 * A node's files in memory: path → content; a path that ends in `/` is an empty folder.
 * `memoryTree({ '/etc/containerd/config.toml': 'version = 3' })`.
 */
export function memoryTree(files: Readonly<Record<string, string | Uint8Array>>): ConfigTree {
  const root = newFolder();
  for (const [path, content] of Object.entries(files)) put(root, path, content);
  return {
    read: (path) => Promise.resolve(entryOf(find(root, path))),
    list: (path) => Promise.resolve(namesOf(find(root, path))),
  };
}

type Folder = Map<string, Folder | Uint8Array>;
type Found = Folder | Uint8Array | 'missing' | 'below a file';

function newFolder(): Folder {
  return new Map();
}

function put(root: Folder, path: string, content: string | Uint8Array): void {
  const parts = pathParts(path);
  const name = path.endsWith('/') ? undefined : parts.pop();
  let folder = root;
  for (const part of parts) {
    const next = folder.get(part) ?? newFolder();
    if (next instanceof Uint8Array) throw new TypeError(`${path} lies below a file`);
    folder.set(part, next);
    folder = next;
  }
  if (name !== undefined) folder.set(name, Buffer.from(content));
}

function find(root: Folder, path: string): Found {
  let at: Folder | Uint8Array = root;
  for (const part of pathParts(path)) {
    if (at instanceof Uint8Array) return 'below a file';
    const next: Folder | Uint8Array | undefined = at.get(part);
    if (next === undefined) return 'missing';
    at = next;
  }
  return at;
}

function entryOf(found: Found): TreeEntry {
  if (found === 'missing') return { kind: 'missing' };
  if (found === 'below a file') return { kind: 'unreadable', reason: 'not a directory' };
  return found instanceof Uint8Array ? { kind: 'file', bytes: found } : { kind: 'folder' };
}

function namesOf(found: Found): readonly TreeName[] {
  if (!(found instanceof Map)) return [];
  const names = Array.from(found, ([name, item]) => ({ name, isFolder: item instanceof Map }));
  return names.sort((a, b) => compareBytes(a.name, b.name));
}
