import type { ConfigTree, TreeName } from './config-tree.ts';
import { compareBytes } from './go/byte-order.ts';

/** A change to a node's files that has not happened yet; `undefined` means removed. */
export type Overlay = ReadonlyMap<string, string | undefined>;

/**
 * A node's files as they would be after a change: `overlayTree(tree, new Map([['/etc/x', 'new']]))`.
 * A folder that the change empties is gone too, as after the change itself. The change is looked through
 * once, so it must be complete.
 */
export function overlayTree(tree: ConfigTree, changes: Overlay): ConfigTree {
  const folders = changedFolders(changes);
  const overlaid: ConfigTree = {
    read: async (path) => {
      if (changes.has(path)) {
        const text = changes.get(path);
        return text === undefined
          ? { kind: 'missing' }
          : { kind: 'file', bytes: Buffer.from(text) };
      }
      const entry = await tree.read(path);
      if (entry.kind === 'file' || entry.kind === 'unreadable') return entry;
      const names = await overlaid.list(path);
      if (names.length > 0) return { kind: 'folder' };
      return folders.has(`${path}/`) ? { kind: 'missing' } : entry;
    },
    list: async (path) => {
      const start = path.endsWith('/') ? path : `${path}/`;
      const below = await tree.list(path);
      const changed = folders.get(start);
      if (changed === undefined) return below;
      const names = namesAfter(below, changed);
      for (const name of changed.emptied) {
        if ((await overlaid.read(`${start}${name}`)).kind === 'missing') names.delete(name);
      }
      return [...names.values()].sort((a, b) => compareBytes(a.name, b.name));
    },
  };
  return overlaid;
}

function namesAfter(before: readonly TreeName[], { names }: ChangedFolder): Map<string, TreeName> {
  const after = new Map(before.map((item) => [item.name, item]));
  for (const [name, item] of names) {
    if (item === undefined) after.delete(name);
    else after.set(name, item);
  }
  return after;
}

/** What a change does straight inside of one folder. */
interface ChangedFolder {
  /** What is put there; undefined for files that are removed. */
  readonly names: Map<string, TreeName | undefined>;
  /** The folders in it below which something is removed. */
  readonly emptied: Set<string>;
}

/** By the path of the folder with a slash behind it: `/etc/x` is in `/` and in `/etc/`. */
function changedFolders(changes: Overlay): ReadonlyMap<string, ChangedFolder> {
  const folders = new Map<string, ChangedFolder>();
  for (const [path, text] of changes) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const start = path.slice(0, at + 1);
      const folder = folders.get(start) ?? { names: new Map(), emptied: new Set() };
      folders.set(start, folder);
      const [name = '', ...rest] = path.slice(at + 1).split('/');
      noteChange(folder, { name, isFolder: rest.length > 0 }, text);
    }
  }
  return folders;
}

function noteChange({ names, emptied }: ChangedFolder, item: TreeName, text: string | undefined) {
  if (text !== undefined) names.set(item.name, item);
  else if (item.isFolder) emptied.add(item.name);
  else names.set(item.name, undefined);
}
