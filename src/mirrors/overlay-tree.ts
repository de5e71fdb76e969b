import type { ConfigTree, TreeName } from './config-tree.ts';
import { compareBytes } from './go/byte-order.ts';

/** A change to a node's files that has not happened yet; `undefined` means removed. */
export type Overlay = ReadonlyMap<string, string | undefined>;

/**
 * A node's files as they would be after a change: `overlayTree(tree, new Map([['/etc/x', 'new']]))`.
 * A folder that the change empties is gone too, as after the change itself.
 */
export function overlayTree(tree: ConfigTree, changes: Overlay): ConfigTree {
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
      const isEmptied = [...changes.keys()].some((changed) => changed.startsWith(`${path}/`));
      return isEmptied ? { kind: 'missing' } : entry;
    },
    list: async (path) => {
      const names = new Map((await tree.list(path)).map((item) => [item.name, item]));
      for (const [changed, text] of changes) applyTo(names, path, changed, text);
      for (const name of emptied(path, changes)) {
        const folder = await overlaid.read(`${path.replace(/\/$/, '')}/${name}`);
        if (folder.kind === 'missing') names.delete(name);
      }
      return [...names.values()].sort((a, b) => compareBytes(a.name, b.name));
    },
  };
  return overlaid;
}

/** The folders in a folder below which something was removed. */
function emptied(folder: string, changes: Overlay): ReadonlySet<string> {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  const names = [...changes]
    .filter(([changed, text]) => text === undefined && changed.startsWith(start))
    .map(([changed]) => changed.slice(start.length).split('/'));
  return new Set(names.flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : [])));
}

function applyTo(
  names: Map<string, TreeName>,
  folder: string,
  changed: string,
  text: string | undefined,
): void {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  if (!changed.startsWith(start)) return;
  const rest = changed.slice(start.length).split('/');
  const [name = ''] = rest;
  const isFolder = rest.length > 1;
  if (text !== undefined) names.set(name, { name, isFolder });
  else if (!isFolder) names.delete(name);
}
