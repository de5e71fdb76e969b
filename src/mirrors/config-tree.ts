/**
 * The files of a node, seen from its root: the one way in which this folder reads configuration.
 * Implementations: a folder that holds a node's root (directory-tree.ts), and memory (memory-tree.ts).
 */

/** What stands at a path. `unreadable` carries the system's reason, such as `permission denied`. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'folder' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** One name in a folder. */
export interface TreeName {
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * Paths are the node's own (`/etc/containerd/config.toml`); symbolic links are followed within the
 * root and never leave it. A missing path is an answer, not an error.
 */
export interface ConfigTree {
  read(path: string): Promise<TreeEntry>;
  /** The names in a folder, sorted by bytes; empty when it is missing or no folder. */
  list(path: string): Promise<readonly TreeName[]>;
}
