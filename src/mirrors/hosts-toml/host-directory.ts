import type { ConfigTree } from '../config-tree.ts';
import type { ContainerdBehaviour } from '../containerd-version/behaviour.ts';
import { joinPath } from '../go/go-path.ts';

/**
 * The directory whose rules apply to a registry.
 *
 * - `found`: it exists, and may be a plain file, below which nothing can be read
 * - `none`: no candidate exists, so only the upstream is asked
 * - `failed`: looking for it failed, and with it every pull of the registry
 */
export type HostDirectory =
  | {
      readonly kind: 'found';
      readonly path: string;
      readonly isDefault: boolean;
      readonly isFile: boolean;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly path: string; readonly error: string };

/** The directory for every registry that has none of its own. */
export const DEFAULT_DIRECTORY = '_default';

/**
 * The names under which containerd looks for a registry's rules, in order.
 * `reg.example:5000` → `reg.example_5000_`, `reg.example:5000`, `_default`.
 */
export function directoryNames(
  registry: string,
  behaviour: ContainerdBehaviour,
): readonly string[] {
  const colon = registry.lastIndexOf(':');
  const withPort = colon > 0 ? [`${registry.slice(0, colon)}_${registry.slice(colon + 1)}_`] : [];
  return [
    ...withPort,
    registry,
    ...(behaviour.has('default-directory') ? [DEFAULT_DIRECTORY] : []),
  ];
}

/**
 * The first root that has the registry's directory or `_default` wins; nothing is merged.
 * A plain file counts as the directory: reading it then fails, and so does every pull.
 */
export async function findHostDirectory(
  tree: ConfigTree,
  roots: readonly string[],
  registry: string,
  behaviour: ContainerdBehaviour,
): Promise<HostDirectory> {
  for (const root of roots) {
    for (const name of directoryNames(registry, behaviour)) {
      const path = joinPath(root, name);
      const entry = await tree.read(path);
      if (entry.kind === 'unreadable') {
        return { kind: 'failed', path, error: `stat ${path}: ${entry.reason}` };
      }
      if (entry.kind === 'missing') continue;
      const isFile = entry.kind === 'file';
      return { kind: 'found', path, isDefault: name === DEFAULT_DIRECTORY, isFile };
    }
  }
  return { kind: 'none' };
}
