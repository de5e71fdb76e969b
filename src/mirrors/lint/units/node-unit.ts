import { join } from 'node:path';
import type { RuntimeName } from '../../../site/runtime-id.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { directoryTree } from '../../directory-tree.ts';
import type { LintUnit } from './lint-unit.ts';

/** A node whose root lies in a folder of this machine. */
export interface LintedNode {
  readonly runtime: RuntimeName;
  /** The absolute path of its root, and as it was typed. */
  readonly root: string;
  readonly shownRoot: string;
  /** Only findings at or below these paths of the node are asked for; absent for all of it. */
  readonly only?: readonly string[];
}

/** A whole node as what is linted: `ca = "/etc/ssl/mirror.pem"` must be there. */
export function nodeUnit({ runtime, root, shownRoot, only }: LintedNode): LintUnit {
  const read = new Set<string>();
  const tree = rememberFiles(directoryTree(root), read);
  const isNodesOwn = (path: string) => path.startsWith('/');
  const isAskedFor = (path: string) =>
    only === undefined || only.some((one) => isAtOrBelow(path, one));
  return {
    runtime,
    isWholeNode: true,
    treeFor: () => Promise.resolve(tree),
    shownAs: (path) => (isNodesOwn(path) ? join(shownRoot, path) : undefined),
    isAskedFor,
    writeRoot: root,
    lockRoot: root,
    writePath: (path) => (isNodesOwn(path) ? path : undefined),
    files: () => [...read].filter(isAskedFor).map((path) => join(shownRoot, path)),
    notSeen: () => [],
  };
}

const certificate = /\.(?:pem|crt|cer|cert|key)$/i;

function rememberFiles(tree: ConfigTree, read: Set<string>): ConfigTree {
  return {
    list: (path) => tree.list(path),
    read: async (path) => {
      const entry = await tree.read(path);
      if (entry.kind === 'file' && !certificate.test(path)) read.add(path);
      return entry;
    },
  };
}

/** Also the folder of a file that was asked for: what is wrong with it keeps the file from being read. */
function isAtOrBelow(path: string, asked: string): boolean {
  return `${path}/`.startsWith(`${asked}/`) || asked.slice(0, asked.lastIndexOf('/')) === path;
}
