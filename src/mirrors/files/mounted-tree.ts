import type { ConfigTree } from '../config-tree.ts';
import { directoryTree } from '../directory-tree.ts';
import { pathParts } from '../go/go-path.ts';

/**
 * A node that has nothing but one folder: `mountedTree('/tmp/certs.d', '/etc/containerd/certs.d')`
 * reads `/etc/containerd/certs.d/docker.io/hosts.toml` from `/tmp/certs.d/docker.io/hosts.toml`.
 */
export function mountedTree(folder: string, mount: string): ConfigTree {
  const inner = directoryTree(folder);
  const parts = pathParts(mount);
  const below = (path: string): string | undefined => {
    const asked = pathParts(path);
    return startsWith(asked, parts) ? `/${asked.slice(parts.length).join('/')}` : undefined;
  };
  return {
    read: async (path) => {
      const inside = below(path);
      if (inside !== undefined) return inner.read(inside);
      return startsWith(parts, pathParts(path)) ? { kind: 'folder' } : { kind: 'missing' };
    },
    list: async (path) => {
      const inside = below(path);
      if (inside !== undefined) return inner.list(inside);
      const asked = pathParts(path);
      const name = startsWith(parts, asked) ? parts[asked.length] : undefined;
      return name === undefined ? [] : [{ name, isFolder: true }];
    },
  };
}

function startsWith(parts: readonly string[], start: readonly string[]): boolean {
  return start.every((part, at) => parts[at] === part);
}
