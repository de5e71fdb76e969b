/** Single files as the part of a node that they would be. */

import { dirname } from 'node:path';
import type { RuntimeName } from '../../../site/runtime-id.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { assumeCertificates } from '../../files/assumed-certificates.ts';
import { mainFiles } from '../../files/main-files.ts';
import { memoryTree } from '../../memory-tree.ts';
import type { RuntimeRules } from '../../runtime-rules.ts';
import type { GatheredPath, InputFile } from './gather-files.ts';
import type { LintUnit } from './lint-unit.ts';

/** A folder of the node and the folder of this machine that stands for it. */
export interface Mount {
  readonly place: string;
  readonly shown: string;
  readonly real: string;
  /** False when its name was made up, so that nothing about the folder itself is worth saying. */
  readonly isNamed: boolean;
  /** Whether all of its files were handed over. */
  readonly isComplete: boolean;
}

/** What a fragment is made of. */
export interface Fragment {
  readonly runtime: RuntimeName;
  /** By their places on the node. */
  readonly files: ReadonlyMap<string, InputFile>;
  readonly mounts: readonly Mount[];
  /** Those of them that are configuration, as the user calls them. */
  readonly recognised: readonly string[];
  /** The paths that were typed. */
  readonly typed: readonly Pick<GatheredPath, 'real' | 'isFolder'>[];
}

type Mounts = ReadonlyMap<string, Mount>;

/** `pem` gives a certificate with its key, for those that the files name and nobody handed over. */
export function fragmentUnit(fragment: Fragment, pem: () => Promise<string>): LintUnit {
  const { runtime, files, mounts } = fragment;
  const own = Object.fromEntries(Array.from(files, ([place, { bytes }]) => [place, bytes]));
  const empty = Object.fromEntries(mounts.map(({ place }) => [`${place}/`, '']));
  const notSeen = new Set<string>();
  const byPlace: Mounts = new Map(mounts.map((one) => [one.place, one]));
  const isHandedOver = (path: string) => byPlace.get(dirname(path))?.isComplete === true;
  return {
    runtime,
    isWholeNode: false,
    writeRoot: '/',
    treeFor: async (rules) => {
      const around = await surroundings(rules, own);
      const tree = memoryTree({ ...empty, ...around, ...own });
      return rememberAssumed(assumeCertificates(tree, await pem(), isHandedOver), notSeen);
    },
    shownAs: (path) => files.get(path)?.shown ?? below(path, byPlace, 'shown'),
    writePath: (path) => files.get(path)?.real ?? below(path, byPlace, 'real'),
    isAskedFor: (path) => isAskedFor(path, fragment, byPlace),
    files: () => fragment.recognised,
    notSeen: () => [...notSeen].sort(),
  };
}

function rememberAssumed(
  tree: ReturnType<typeof assumeCertificates>,
  notSeen: Set<string>,
): ConfigTree {
  return {
    list: tree.list,
    read: async (path) => {
      const entry = await tree.read(path);
      if (tree.assumed.has(path)) notSeen.add(path);
      return entry;
    },
  };
}

/** A main configuration as Slipway would write it, so that folders of registries are read at all. */
async function surroundings(
  rules: RuntimeRules,
  own: Readonly<Record<string, Uint8Array>>,
): Promise<Readonly<Record<string, string>>> {
  const main = rules.placeOf('config.toml');
  if (main === undefined || Object.hasOwn(own, main)) return {};
  const file = (await mainFiles(rules)).find(({ path }) => path === main);
  return file === undefined ? {} : { [main]: file.content };
}

/** The name of a path in the deepest folder that stands for one of its own. */
function below(path: string, mounts: Mounts, side: 'shown' | 'real'): string | undefined {
  let folder = path;
  while (!mounts.has(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const mount = mounts.get(folder);
  if (mount === undefined) return undefined;
  const rest = path.slice(mount.place.length);
  return mount[side] === '.' ? rest.slice(1) || '.' : mount[side] + rest;
}

/** Findings count in what was typed, in the folder of a typed file, and in files that a mend makes. */
function isAskedFor(path: string, { files, typed }: Fragment, mounts: Mounts): boolean {
  const real = files.get(path)?.real ?? below(path, mounts, 'real');
  if (real === undefined) return false;
  const folder = mounts.get(path);
  if (folder?.isNamed === false) return false;
  return typed.some((one) => {
    if (real === one.real) return true;
    if (one.isFolder) return real.startsWith(`${one.real}/`);
    if (folder !== undefined) return real === dirname(one.real);
    return !files.has(path) && dirname(real) === dirname(one.real);
  });
}
