/** Go's filepath.Glob over the files of a node. */

import type { ConfigTree } from '../config-tree.ts';
import { joinPath } from './go-path.ts';

/** True for a pattern that Go refuses: `[` without `]`. Go itself does so when a name matches up to there. */
export function isBadPattern(pattern: string): boolean {
  return compileGlob(pattern) === undefined;
}

/**
 * The paths that a pattern below an absolute path matches, sorted by folder, then by name:
 * `/etc/containerd/conf.d/*.toml`. Missing folders match nothing, and bad patterns neither.
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
  if (!/[*?[\\]/.test(part)) {
    const path = joinPath(folder, part);
    return (await tree.read(path)).kind === 'missing' ? [] : [path];
  }
  const expression = compileGlob(part);
  const names = (await tree.list(folder)).map(({ name }) => name);
  return names.filter((name) => expression?.test(name)).map((name) => joinPath(folder, name));
}

/** One sign of a class, with or without a backslash, and a range of them. */
const sign = String.raw`(?:\\[\s\S]|[^\]\-\\])`;
const range = `${sign}(?:-${sign})?`;
const token = new RegExp(String.raw`\[(?:\^|(?!\^))(?:${range})+\]|\\[\s\S]|[^[\\]`, 'gu');

/** `a*.[ch]` → what tells whether a name matches; undefined for a bad pattern. Source: path/filepath, Match. */
export function compileGlob(pattern: string): RegExp | undefined {
  const tokens = pattern.match(token) ?? [];
  if (tokens.join('') !== pattern) return undefined;
  return new RegExp(`^${tokens.map(expressionOf).join('')}$`, 'su');
}

function expressionOf(text: string): string {
  if (text === '*') return '[^/]*';
  if (text === '?') return '[^/]';
  return text.length > 1 && text.startsWith('[') ? classOf(text) : coded(text);
}

/** A range from a later sign to an earlier one holds nothing. */
function classOf(text: string): string {
  const isNegated = text.startsWith('[^');
  const ranges = text.slice(isNegated ? 2 : 1, -1).match(new RegExp(range, 'gu')) ?? [];
  const written = ranges.map((one) => {
    const [low = '', high = low] = (one.match(new RegExp(sign, 'gu')) ?? []).map(coded);
    return codeOf(low) > codeOf(high) ? '' : `${low}-${high}`;
  });
  return `[${isNegated ? '^' : ''}${written.join('')}]`;
}

/** `\*` → `\u{2a}`. */
function coded(text: string): string {
  const code = text.codePointAt(text.length > 1 && text.startsWith('\\') ? 1 : 0) ?? 0;
  return `\\u{${code.toString(16)}}`;
}

function codeOf(written: string): number {
  return Number.parseInt(written.slice(3, -1), 16);
}
