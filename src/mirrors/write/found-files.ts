/** What stands on a node where rules are written, before anything is done about it. */

import { lstat, readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../shared/errors.ts';
import type { ConfigTree } from '../config-tree.ts';
import { placeInRoot } from '../directory-tree.ts';
import type { CompiledRules } from '../runtime-rules.ts';
import type { NodeRecord, WrittenFile } from './node-record.ts';

/** Linux's NAME_MAX: below a folder that is not there yet, nothing else says so before the first byte is written. */
const NAME_BYTES = 255;

/** What a path leads to; `blocked`: neither a file that can be read nor nothing. */
export type Standing =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'none' }
  | { readonly kind: 'blocked'; readonly reason: string };

/** One path of the node. */
export interface FoundFile {
  readonly stands: Standing;
  /** Where it lies on this machine, links resolved; paths with the same place are one file. */
  readonly place: string;
  /** The folder of the file, if that is a link. */
  readonly link?: string;
}

/** The files of a node by path. */
export interface FoundFiles {
  /** All wanted files and all other rule files. */
  readonly files: ReadonlyMap<string, FoundFile>;
  /** For each path its copies in order, and last the first name that no copy has. */
  readonly copies: ReadonlyMap<
    string,
    ReadonlyArray<{ readonly path: string; readonly stands: Standing }>
  >;
  /** What the record of the node says of files that were written before. */
  readonly written: ReadonlyMap<string, WrittenFile>;
  /** The copies that it names of what was there before, by the path of the file. */
  readonly before: ReadonlyMap<string, Standing>;
}

/**
 * Looks at the wanted files, their copies, and all other rule files. Folders of the path may be
 * links, which the runtime follows too; a link in place of the file itself is `blocked`: writing
 * through it would change a file that nobody named.
 */
export async function findFiles(
  root: string,
  tree: ConfigTree,
  { wanted, existing, settled }: CompiledRules,
  record: NodeRecord | undefined,
): Promise<FoundFiles> {
  const node = { root, tree };
  const written = new Map((record?.files ?? []).map((file) => [file.path, file]));
  const kept = new Set(settled.map(({ path }) => path));
  const others = [...written.keys()].filter((path) => !kept.has(path));
  const paths = new Set([...wanted.map((file) => file.path), ...existing, ...others]);
  const files = new Map<string, FoundFile>();
  const copies = new Map<string, Awaited<ReturnType<typeof copiesOf>>>();
  const before = new Map<string, Standing>();
  for (const path of paths) {
    files.set(path, await findFile(node, path));
    copies.set(path, await copiesOf(node, path));
    const copy = written.get(path)?.copy;
    if (copy !== undefined) before.set(path, await standingAt(node, copy));
  }
  return { files, copies, written, before };
}

interface Node {
  readonly root: string;
  readonly tree: ConfigTree;
}

async function findFile(node: Node, path: string): Promise<FoundFile> {
  const folder = dirname(path);
  const link = (await linkAt(node.root, folder)) === undefined ? {} : { link: folder };
  const place = (await placeInRoot(node.root, path)) ?? path;
  return { stands: await standingAt(node, path), place, ...link };
}

/** `x.before-slipway`, `x.before-slipway.2` and so on, as far as there are any, and the next one. */
async function copiesOf(node: Node, path: string) {
  const copies: { readonly path: string; readonly stands: Standing }[] = [];
  for (;;) {
    const number = copies.length === 0 ? '' : `.${copies.length + 1}`;
    const copy = `${path}.before-slipway${number}`;
    const stands = await standingAt(node, copy);
    copies.push({ path: copy, stands });
    if (stands.kind !== 'file') return copies;
  }
}

async function standingAt({ root, tree }: Node, path: string): Promise<Standing> {
  const isLong = path.split('/').some((name) => Buffer.byteLength(name) > NAME_BYTES);
  if (isLong) return { kind: 'blocked', reason: 'file name too long' };
  const link = await linkAt(root, path);
  if (link !== undefined) return { kind: 'blocked', reason: `is a symbolic link to ${link}` };
  const entry = await tree.read(path);
  if (entry.kind === 'missing') return { kind: 'none' };
  if (entry.kind === 'folder') return { kind: 'blocked', reason: 'is a folder' };
  if (entry.kind === 'unreadable') return { kind: 'blocked', reason: entry.reason };
  return entry;
}

/** Where a link at the very end of the path leads; undefined when there is none. */
export async function linkAt(root: string, path: string): Promise<string | undefined> {
  const folder = await placeInRoot(root, dirname(path));
  if (folder === undefined) return undefined;
  const place = join(folder, basename(path));
  try {
    return (await lstat(place)).isSymbolicLink() ? await readlink(place) : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // what is not there or cannot be looked at: reading it says why
  }
}
