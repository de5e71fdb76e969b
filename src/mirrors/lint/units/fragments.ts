import { basename, dirname } from 'node:path';
import type { RuntimeName } from '../../../site/runtime-id.ts';
import type { PlacedFile } from '../../files/place-file.ts';
import type { Fragment, Mount } from './fragment-unit.ts';
import type { GatheredPath, InputFile } from './gather-files.ts';
import { PathFolders } from './path-folders.ts';

/** A file that was read, its runtime, and where it belongs on a node. */
export interface PlacedInput extends PlacedFile {
  readonly file: InputFile;
  readonly runtime: RuntimeName;
  /** A hosts.toml is read together with what lies beside it and beside its folder. */
  readonly isHosts: boolean;
}

interface Growing {
  readonly runtime: RuntimeName;
  readonly files: Map<string, InputFile>;
  /** By their places on the node. */
  readonly mounts: Map<string, Mount>;
  readonly recognised: Set<string>;
  readonly typed: Map<GatheredPath, Taken>;
}

/** What a node has of a path already. */
interface Taken {
  readonly folders: PathFolders;
  /** Folders of this machine whose neighbours are mounted. */
  readonly above: Set<string>;
  /** Places of mounts whose files are there. */
  readonly filled: Set<string>;
}

/** Gathers placed files into nodes: those with one runtime and one base are read together. */
export class Fragments {
  readonly #fragments = new Map<string, Growing>();
  readonly #folders = new Map<GatheredPath, PathFolders>();

  all(): readonly Fragment[] {
    return Array.from(this.#fragments.values(), ({ mounts, recognised, typed, ...rest }) => ({
      ...rest,
      mounts: [...mounts.values()],
      recognised: [...recognised],
      typed: [...typed.keys()],
    }));
  }

  add(placed: PlacedInput, path: GatheredPath): void {
    const fragment = this.#fragmentFor(placed);
    if (fragment.recognised.has(placed.file.shown)) return;
    fragment.files.set(placed.place, placed.file);
    fragment.recognised.add(placed.file.shown);
    const taken = this.#takenOf(fragment, path);
    mountFolders(fragment.mounts, placed, taken);
    if (placed.isHosts) addNeighbours(fragment, taken);
  }

  /** Two files for one place cannot be on one node, so the second one gets a node of its own. */
  #fragmentFor({ runtime, base, place, file }: PlacedInput): Growing {
    const shared = `${runtime} ${base}`;
    const taken = this.#fragments.get(shared)?.files.get(place);
    const key =
      taken === undefined || taken.real === file.real ? shared : `${runtime} ${file.real}`;
    const found = this.#fragments.get(key);
    if (found !== undefined) return found;
    const [files, mounts] = [new Map<string, InputFile>(), new Map<string, Mount>()];
    const fragment = { runtime, files, mounts, recognised: new Set<string>(), typed: new Map() };
    this.#fragments.set(key, fragment);
    return fragment;
  }

  #takenOf({ typed }: Growing, path: GatheredPath): Taken {
    const known = typed.get(path);
    if (known !== undefined) return known;
    const folders = this.#folders.get(path) ?? new PathFolders(path);
    this.#folders.set(path, folders);
    const taken: Taken = { folders, above: new Set(), filled: new Set() };
    typed.set(path, taken);
    return taken;
  }
}

function mountFolders(mounts: Map<string, Mount>, placed: PlacedInput, taken: Taken): void {
  const { place, file, hasFolder, isHosts } = placed;
  const [at, real] = [dirname(place), dirname(file.real)];
  const shown = dirname(file.shown);
  addMount(mounts, { place: at, shown, real, isNamed: hasFolder, isComplete: isHosts });
  const above = taken.folders.at(dirname(real));
  // What lies beside one registry of a folder lies beside all of them.
  if (!isHosts || !hasFolder || above === undefined || taken.above.has(above.real)) return;
  taken.above.add(above.real);
  const all = dirname(at);
  addMount(mounts, { ...above, place: all, isNamed: true, isComplete: true });
  for (const one of taken.folders.foldersIn(above.real)) {
    const beside = `${all}/${basename(one.real)}`;
    addMount(mounts, { ...one, place: beside, isNamed: true, isComplete: true });
  }
}

function addMount(mounts: Map<string, Mount>, mount: Mount): void {
  if (!mounts.has(mount.place)) mounts.set(mount.place, mount);
}

/** Certificates, and whatever lies in the folders of other registries. */
function addNeighbours({ files, mounts }: Growing, { folders, filled }: Taken): void {
  if (filled.size === mounts.size) return;
  // Mounts are only added, so those that are new are the last ones.
  for (const { place: folder, real } of Array.from(mounts.values()).slice(filled.size)) {
    filled.add(folder);
    for (const file of folders.filesIn(real)) {
      const place = `${folder}/${basename(file.real)}`;
      if (!files.has(place)) files.set(place, file);
    }
  }
}
