import { basename, dirname } from 'node:path';
import type { RuntimeName } from '../../site/runtime-id.ts';
import type { Fragment, Mount } from './fragment-unit.ts';
import type { GatheredPath, InputFile } from './gather-files.ts';
import type { PlacedFile } from './place-file.ts';

/** A file that was read, its runtime, and where it belongs on a node. */
export interface PlacedInput extends PlacedFile {
  readonly file: InputFile;
  readonly runtime: RuntimeName;
  /** A hosts.toml is read together with what lies beside it and beside its folder. */
  readonly isHosts: boolean;
}

interface Growing extends Fragment {
  readonly files: Map<string, InputFile>;
  readonly mounts: Mount[];
  readonly recognised: string[];
  readonly typed: GatheredPath[];
}

/** Gathers placed files into nodes: those with one runtime and one base are read together. */
export class Fragments {
  readonly #fragments = new Map<string, Growing>();

  all(): readonly Fragment[] {
    return [...this.#fragments.values()];
  }

  add(placed: PlacedInput, path: GatheredPath): void {
    const fragment = this.#fragmentFor(placed);
    if (fragment.recognised.includes(placed.file.shown)) return;
    fragment.files.set(placed.place, placed.file);
    fragment.recognised.push(placed.file.shown);
    if (!fragment.typed.includes(path)) fragment.typed.push(path);
    mountFolders(fragment.mounts, placed, path);
    if (placed.isHosts) addNeighbours(fragment, path);
  }

  /** Two files for one place cannot be on one node, so the second one gets a node of its own. */
  #fragmentFor({ runtime, base, place, file }: PlacedInput): Growing {
    const shared = `${runtime} ${base}`;
    const taken = this.#fragments.get(shared)?.files.get(place);
    const key =
      taken === undefined || taken.real === file.real ? shared : `${runtime} ${file.real}`;
    const found = this.#fragments.get(key);
    if (found !== undefined) return found;
    const fragment: Growing = { runtime, files: new Map(), mounts: [], recognised: [], typed: [] };
    this.#fragments.set(key, fragment);
    return fragment;
  }
}

function mountFolders(mounts: Mount[], placed: PlacedInput, { folders }: GatheredPath): void {
  const { place, file, hasFolder, isHosts } = placed;
  const [at, real] = [dirname(place), dirname(file.real)];
  const shown = dirname(file.shown);
  addMount(mounts, { place: at, shown, real, isNamed: hasFolder, isComplete: isHosts });
  const above = folders.find((one) => one.real === dirname(real));
  if (!isHosts || !hasFolder || above === undefined) return;
  const all = dirname(at);
  addMount(mounts, { ...above, place: all, isNamed: true, isComplete: true });
  for (const one of folders.filter((one) => dirname(one.real) === above.real)) {
    const beside = `${all}/${basename(one.real)}`;
    addMount(mounts, { ...one, place: beside, isNamed: true, isComplete: true });
  }
}

function addMount(mounts: Mount[], mount: Mount): void {
  if (mounts.every(({ place }) => place !== mount.place)) mounts.push(mount);
}

/** Certificates, and whatever lies in the folders of other registries. */
function addNeighbours({ files, mounts }: Growing, path: GatheredPath): void {
  const places = new Map(mounts.map(({ real, place }) => [real, place]));
  for (const file of path.files) {
    const folder = places.get(dirname(file.real));
    const place = `${folder}/${basename(file.real)}`;
    if (folder !== undefined && !files.has(place)) files.set(place, file);
  }
}
