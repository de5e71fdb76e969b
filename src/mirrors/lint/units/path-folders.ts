import { dirname } from 'node:path';
import type { GatheredPath, InputFile } from './gather-files.ts';

type Folder = GatheredPath['folders'][number];

/** What was found at one path by folder, looked through once: a certs.d may have thousands of registries. */
export class PathFolders {
  readonly #byReal: ReadonlyMap<string, Folder>;
  readonly #inside: ReadonlyMap<string, readonly Folder[]>;
  readonly #files: ReadonlyMap<string, readonly InputFile[]>;

  constructor({ files, folders }: GatheredPath) {
    this.#byReal = new Map(folders.map((one) => [one.real, one]));
    this.#inside = Map.groupBy(folders, ({ real }) => dirname(real));
    this.#files = Map.groupBy(files, ({ real }) => dirname(real));
  }

  /** The folder with this absolute path, if it was looked into. */
  at(real: string): Folder | undefined {
    return this.#byReal.get(real);
  }

  /** The folders straight inside of it. */
  foldersIn(real: string): readonly Folder[] {
    return this.#inside.get(real) ?? [];
  }

  /** The files straight inside of it. */
  filesIn(real: string): readonly InputFile[] {
    return this.#files.get(real) ?? [];
  }
}
