import type { TreeEntry } from '../config-tree.ts';

/** Anything but a file that can be read. */
type NotRead = Exclude<TreeEntry, { kind: 'file' }>;

/** Why a file cannot be read, in the words of Go and of Linux: `no such file or directory`. */
export function goReason(entry: NotRead): string {
  if (entry.kind === 'unreadable') return entry.reason;
  return entry.kind === 'missing' ? 'no such file or directory' : 'is a directory';
}

/** What os.ReadFile says: `open /x: no such file or directory`, `read /x: is a directory`. */
export function goReadError(path: string, entry: NotRead): string {
  return `${entry.kind === 'folder' ? 'read' : 'open'} ${path}: ${goReason(entry)}`;
}
