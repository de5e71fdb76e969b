/** A node's root, or configuration without its node: a folder with host directories, one file. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigTree } from '../config-tree.ts';
import { directoryTree } from '../directory-tree.ts';
import { MirrorFileUnplaced } from '../errors.ts';
import { assumeCertificates } from '../files/assumed-certificates.ts';
import { configurationBelow } from '../files/configuration-below.ts';
import { loadFileFacts } from '../files/file-facts.ts';
import { type LoosePlace, type LooseQuestion, placeLooseFile } from '../files/loose-place.ts';
import { mainFiles } from '../files/main-files.ts';
import { mountedTree } from '../files/mounted-tree.ts';
import { memoryTree } from '../memory-tree.ts';
import { overlayTree } from '../overlay-tree.ts';
import type { RuntimeRules } from '../runtime-rules.ts';

/** How a runtime's configuration is seen through a path. */
export interface LooseConfiguration {
  readonly tree: ConfigTree;
  /** What the path itself is on the node; absent for a root. */
  readonly place?: string;
  /**
   * What was taken for granted, as far as somebody has asked for it by now:
   * `/etc/containerd/config.toml is not among the files; …`.
   */
  notes(): readonly string[];
}

/** What else must be known to open one. */
export interface LoosePorts {
  /** The registry of the image: a hosts.toml that lies in no folder of a registry is taken for its. */
  readonly registry: string;
  /** A certificate for those that are elsewhere. */
  pem(): Promise<string>;
}

/**
 * Opens whatever of a node is there, by an absolute path:
 *
 * - `/mnt/node-1`: a root, for it has `etc`
 * - `/mnt/node-1/etc/containerd/certs.d`, or a file in it: the root around it
 * - `/tmp/certs.d`, `/tmp/registries.yaml`: these files alone, at the place where the runtime reads them
 *
 * What a file alone does not say, such as that the main configuration names its folder, or of which
 * registry it is, is taken for granted and noted. Rejects with MIRROR_FILE_UNPLACED, and with the
 * system's error for no such path.
 */
export async function openConfiguration(
  path: string,
  runtime: RuntimeRules,
  { registry, pem }: LoosePorts,
): Promise<LooseConfiguration> {
  const isFolder = (await stat(path)).isDirectory();
  const open = isFolder ? openFolder : openFile;
  const seen = await open(path, runtime, { registry, facts: await loadFileFacts() });
  if (seen.has === 'everything') return { tree: seen.tree, notes: () => [] };
  const { place } = seen;
  const { tree, missing } = await withMainFiles(seen.tree, runtime);
  const assumed = missing.map(
    (file) => `${file} ${elsewhere} to be as "slipway mirrors write" makes it`,
  );
  if (seen.has === 'the node around') return { tree, place, notes: () => assumed };
  const { folder } = seen;
  if (seen.isForImage) {
    assumed.unshift(
      `nothing says of which registry it is; it is taken for the file of ${registry}`,
    );
  }
  const isHandedOver = (file: string) => folder !== undefined && file.startsWith(`${folder}/`);
  const assuming = assumeCertificates(tree, await pem(), isHandedOver);
  const certificates = () =>
    [...assuming.assumed].sort().map((file) => `${file} ${elsewhere} to be there`);
  return { tree: assuming, place, notes: () => [...assumed, ...certificates()] };
}

const elsewhere = 'is not among the files; taken';

/** How much of a node is there: files that are not handed over may be anywhere else. */
type Seen =
  | { readonly has: 'everything'; readonly tree: ConfigTree }
  | { readonly has: 'the node around'; readonly tree: ConfigTree; readonly place: string }
  /** `folder`: the one of the node that was handed over as a whole. */
  | (LoosePlace & {
      readonly has: 'some files';
      readonly tree: ConfigTree;
      readonly folder?: string;
    });

async function openFile(
  path: string,
  runtime: RuntimeRules,
  question: LooseQuestion,
): Promise<Seen> {
  const bytes = await readFile(path);
  const loose = placeLooseFile({ path, text: bytes.toString('utf8') }, runtime, question);
  if (loose === undefined) throw new MirrorFileUnplaced({ file: path });
  const { place } = loose;
  return path.endsWith(place)
    ? { has: 'the node around', place, tree: directoryTree(path.slice(0, -place.length) || '/') }
    : { has: 'some files', ...loose, tree: memoryTree({ [place]: bytes }) };
}

async function openFolder(
  path: string,
  runtime: RuntimeRules,
  question: LooseQuestion,
): Promise<Seen> {
  const names = await readdir(path);
  const mount = names.includes('etc') ? undefined : await mountOf(path, runtime, question);
  if (mount === undefined) return { has: 'everything', tree: directoryTree(path) };
  const { place } = mount;
  return path.endsWith(place)
    ? { has: 'the node around', place, tree: directoryTree(path.slice(0, -place.length) || '/') }
    : { has: 'some files', ...mount, tree: mountedTree(path, place), folder: place };
}

/** Where a folder would lie so that the runtime reads a file in it. */
async function mountOf(
  folder: string,
  runtime: RuntimeRules,
  question: LooseQuestion,
): Promise<LoosePlace | undefined> {
  for (const name of await configurationBelow(folder)) {
    const path = join(folder, name);
    // Below the folder, only names of folders tell; in it, a file may be alone.
    const loose = name.includes('/')
      ? undefined
      : placeLooseFile({ path, text: await readFile(path, 'utf8') }, runtime, question);
    const named = { place: runtime.placeOf(path), isForImage: false };
    for (const { place, isForImage } of [loose ?? named, named]) {
      if (place?.endsWith(`/${name}`) === true) {
        return { place: place.slice(0, -name.length - 1), isForImage };
      }
    }
  }
  return undefined;
}

/** Adds the files of ours that would make the runtime look at the others, where there are none. */
async function withMainFiles(tree: ConfigTree, runtime: RuntimeRules) {
  const files = new Map<string, string>();
  for (const { path, content } of await mainFiles(runtime)) {
    if ((await tree.read(path)).kind === 'missing') files.set(path, content);
  }
  return { tree: overlayTree(tree, files), missing: [...files.keys()] };
}
