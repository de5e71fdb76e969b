/** A node's root, or configuration without its node: a folder with host directories, one file. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SlipwayError } from '../../shared/errors.ts';
import { compareText } from '../../shared/json.ts';
import type { ConfigTree } from '../config-tree.ts';
import { directoryTree } from '../directory-tree.ts';
import { MirrorFileUnplaced } from '../errors.ts';
import { assumeCertificates } from '../lint/assumed-certificates.ts';
import { memoryTree } from '../memory-tree.ts';
import { overlayTree } from '../overlay-tree.ts';
import type { RuntimeRules } from '../runtime-rules.ts';
import { mountedTree } from './mounted-tree.ts';

/** How a runtime's configuration is seen through a path. */
export interface LooseConfiguration {
  readonly tree: ConfigTree;
  /**
   * What was taken for granted, as far as somebody has asked for it by now:
   * `/etc/containerd/config.toml is not among the files; …`.
   */
  notes(): readonly string[];
}

/**
 * Opens whatever of a node is there, by an absolute path:
 *
 * - `/mnt/node-1`: a root, for it has `etc`
 * - `/mnt/node-1/etc/containerd/certs.d`, or a file in it: the root around it
 * - `/tmp/certs.d`, `/tmp/registries.yaml`: these files alone, at the place where the runtime reads them
 *
 * What a file alone does not say, such as that the main configuration names its folder, is taken for
 * granted and noted; `pem` gives a certificate for those that are elsewhere. Rejects with
 * MIRROR_FILE_UNPLACED, and with the system's error for no such path.
 */
export async function openConfiguration(
  path: string,
  runtime: RuntimeRules,
  pem: () => Promise<string>,
): Promise<LooseConfiguration> {
  const isFolder = (await stat(path)).isDirectory();
  const seen = isFolder ? await openFolder(path, runtime) : await openFile(path, runtime);
  if (seen.has === 'everything') return { tree: seen.tree, notes: () => [] };
  const { tree, missing } = await withMainFiles(seen.tree, runtime);
  const assumed = missing.map(
    (file) => `${file} ${elsewhere} to be as "slipway mirrors write" makes it`,
  );
  if (seen.has === 'the node around') return { tree, notes: () => assumed };
  const { folder } = seen;
  const isHandedOver = (file: string) => folder !== undefined && file.startsWith(`${folder}/`);
  const assuming = assumeCertificates(tree, await pem(), isHandedOver);
  const certificates = () =>
    [...assuming.assumed].sort().map((file) => `${file} ${elsewhere} to be there`);
  return { tree: assuming, notes: () => [...assumed, ...certificates()] };
}

const elsewhere = 'is not among the files; taken';

/** How much of a node is there: files that are not handed over may be anywhere else. */
type Seen =
  | { readonly has: 'everything'; readonly tree: ConfigTree }
  | { readonly has: 'the node around'; readonly tree: ConfigTree }
  /** `folder`: the one of the node that was handed over as a whole. */
  | { readonly has: 'some files'; readonly tree: ConfigTree; readonly folder?: string };

async function openFile(path: string, runtime: RuntimeRules): Promise<Seen> {
  const place = runtime.placeOf(path);
  if (place === undefined) throw new MirrorFileUnplaced({ file: path });
  return path.endsWith(place)
    ? { has: 'the node around', tree: directoryTree(path.slice(0, -place.length) || '/') }
    : { has: 'some files', tree: memoryTree({ [place]: await readFile(path) }) };
}

async function openFolder(path: string, runtime: RuntimeRules): Promise<Seen> {
  const names = await readdir(path);
  const mount = names.includes('etc') ? undefined : await mountOf(path, runtime);
  if (mount === undefined) return { has: 'everything', tree: directoryTree(path) };
  return path.endsWith(mount)
    ? { has: 'the node around', tree: directoryTree(path.slice(0, -mount.length) || '/') }
    : { has: 'some files', tree: mountedTree(path, mount), folder: mount };
}

/** Deeper than any configuration: `registries.conf.d`, `certs.d/docker.io/hosts.toml` below the folder. */
const deepest = 3;

/** Where a folder would lie so that the runtime reads a file in it. */
async function mountOf(folder: string, runtime: RuntimeRules): Promise<string | undefined> {
  for (const name of (await namesBelow(folder)).filter(isConfiguration)) {
    const place = runtime.placeOf(join(folder, name));
    if (place?.endsWith(`/${name}`) === true) return place.slice(0, -name.length - 1);
  }
  return undefined;
}

/** Certificates and notes beside it say nothing about where the folder belongs. */
function isConfiguration(name: string): boolean {
  return /\.(?:toml|ya?ml|conf|json)$/.test(name);
}

async function namesBelow(folder: string, depth = 1): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names: string[] = [];
  for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
    if (entry.name.startsWith('.')) continue;
    if (!entry.isDirectory()) names.push(entry.name);
    else if (depth < deepest) {
      const below = await namesBelow(join(folder, entry.name), depth + 1);
      names.push(...below.map((name) => `${entry.name}/${name}`));
    }
  }
  return names;
}

/** Adds the files of ours that would make the runtime look at the others, where there are none. */
async function withMainFiles(tree: ConfigTree, runtime: RuntimeRules) {
  const files = new Map<string, string>();
  for (const { path, content } of await mainFiles(runtime)) {
    if ((await tree.read(path)).kind === 'missing') files.set(path, content);
  }
  return { tree: overlayTree(tree, files), missing: [...files.keys()] };
}

async function mainFiles(runtime: RuntimeRules) {
  try {
    return (await runtime.compile(memoryTree({}), [], undefined)).wanted;
  } catch (error) {
    if (error instanceof SlipwayError) return []; // a runtime that cannot be without rules
    throw error;
  }
}
