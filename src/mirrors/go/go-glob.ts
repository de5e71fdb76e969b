/** Go's filepath.Glob over the files of a node. */

import type { ConfigTree } from '../config-tree.ts';
import { joinPath } from './go-path.ts';

/** True for a pattern that Go refuses: `[` without `]`. */
export function isBadPattern(pattern: string): boolean {
  return /\[[^\]]*$/.test(pattern);
}

/**
 * The paths that a pattern below an absolute path matches, sorted by folder, then by name:
 * `/etc/containerd/conf.d/*.toml`. Missing folders match nothing.
 */
export async function globPaths(tree: ConfigTree, pattern: string): Promise<readonly string[]> {
  let found = ['/'];
  for (const part of pattern.split('/').filter((name) => name !== '')) {
    const next: string[] = [];
    for (const folder of found) next.push(...(await matchIn(tree, folder, part)));
    found = next;
  }
  return found;
}

async function matchIn(tree: ConfigTree, folder: string, part: string): Promise<readonly string[]> {
  if (!/[*?[]/.test(part)) {
    const path = joinPath(folder, part);
    return (await tree.read(path)).kind === 'missing' ? [] : [path];
  }
  const expression = globExpression(part);
  const names = (await tree.list(folder)).map(({ name }) => name);
  return names.filter((name) => expression.test(name)).map((name) => joinPath(folder, name));
}

function globExpression(part: string): RegExp {
  const tokens = part.matchAll(/\[\^?[^\]]+\]|\\?[\s\S]/g);
  const source = Array.from(tokens, ([token]) => {
    if (token === '*') return '.*';
    if (token === '?') return '.';
    return token.length > 1 && token.startsWith('[')
      ? token
      : RegExp.escape(token.replace(/^\\/, ''));
  });
  return new RegExp(`^${source.join('')}$`, 's');
}
