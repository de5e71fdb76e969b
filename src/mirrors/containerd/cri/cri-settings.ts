/** What the CRI plugin is told about pulling: from all configuration files, migrated and merged. */

import { isTomlTable, type TomlTable } from '../../../documents/toml.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Origin } from '../../finding.ts';
import {
  type ConfigFile,
  newestConfigVersion,
  placeOf,
  valueAt,
} from '../main-config/config-files.ts';
import type { MergedConfig } from '../main-config/merged-config.ts';
import { imageKeysBelowContainerd } from '../main-config/migrate-plugins.ts';
import { CRI, CRI_IMAGES, shortName } from '../main-config/plugin-names.ts';

/** The settings of the images part of CRI, and where each one comes from. */
export interface CriSettings {
  /** The table that holds them, in the words of this version. */
  readonly table: string;
  readonly images: TomlTable;
  /** The place of a setting, `['registry', 'config_path']`; the last file that has it wins. */
  originOf(path: readonly string[]): Origin | undefined;
  /** Tables for pulling that this version does not read, such as the old name in a new file. */
  readonly unread: readonly { readonly table: string; readonly origin: Origin }[];
}

/** Which files are read, and what they come to. */
export interface CriSources {
  readonly files: readonly ConfigFile[];
  readonly merged: MergedConfig;
  readonly behaviour: ContainerdBehaviour;
}

/** The settings with their places; `images` is the table that was decoded for them. */
export function criSettings(images: TomlTable, sources: CriSources): CriSettings {
  const { files, merged, behaviour } = sources;
  const isNew = behaviour.has('split-cri-plugin');
  return {
    table: isNew ? CRI_IMAGES : merged.nameOf(CRI),
    images,
    originOf: (path) => originIn(files, path, sources),
    unread: files.flatMap((file) => unreadIn(file, sources)),
  };
}

function originIn(
  files: readonly ConfigFile[],
  path: readonly string[],
  sources: CriSources,
): Origin | undefined {
  for (const file of files.toReversed()) {
    for (const table of tablesReadOf(file, sources)) {
      const key = ['plugins', table, ...spelledIn(table, path)];
      if (valueAt(file.value, key) !== undefined) return placeOf(file, key);
    }
  }
  return undefined;
}

/**
 * The place of a key, `['plugins', plugin, ...]` or one of the top, in the last file that has it; a
 * setting that was migrated is found where it was written. Undefined when no file has any part of it.
 */
export function placeIn(files: readonly ConfigFile[], key: readonly string[]): Origin | undefined {
  const [top = '', plugin = '', ...rest] = key;
  const names = top === 'plugins' ? [plugin, CRI, 'cri', shortName(plugin)] : [plugin];
  const keys = names.flatMap((name) =>
    [rest, spelledIn(name, rest)].map((path) => [top, name, ...path]),
  );
  const written = top === 'plugins' ? keys : [key];
  for (let length = key.length; length > 0; length -= 1) {
    for (const file of files.toReversed()) {
      const found = written.find(
        (path) => valueAt(file.value, path.slice(0, length)) !== undefined,
      );
      if (found !== undefined) return placeOf(file, found.slice(0, length));
    }
  }
  return undefined;
}

/** How a setting of pulling is called in a table: the old one has some of them elsewhere. */
function spelledIn(table: string, path: readonly string[]): readonly string[] {
  const [first = ''] = path;
  if (table === CRI_IMAGES) return path;
  if (first === 'pinned_images') return ['sandbox_image'];
  return imageKeysBelowContainerd.includes(first) ? ['containerd', ...path] : path;
}

/** The tables of a file from which settings of pulling are taken, the stronger one first. */
function tablesReadOf(
  file: ConfigFile,
  { merged, behaviour, files }: CriSources,
): readonly string[] {
  if (!behaviour.has('split-cri-plugin')) {
    const table = merged.nameOf(CRI);
    // The last file that has the section replaces it.
    const last = files.findLast(({ value }) => isTomlTable(valueAt(value, ['plugins', table])));
    return file === last ? [table] : [];
  }
  const decides = behaviour.has('migrates-each-file') ? file.version : merged.version;
  const isMigrated = decides < newestConfigVersion(behaviour);
  const old = file.version < 2 ? [CRI, 'cri'] : [CRI];
  return isMigrated ? [...old, CRI_IMAGES] : [CRI_IMAGES];
}

function unreadIn(file: ConfigFile, sources: CriSources): CriSettings['unread'] {
  const read = tablesReadOf(file, sources);
  return ['cri', CRI, CRI_IMAGES].flatMap((table) => {
    const section = valueAt(file.value, ['plugins', table]);
    const setsPulls = isTomlTable(section) && Object.hasOwn(section, 'registry');
    if (!setsPulls || read.includes(table)) return [];
    return [{ table, origin: placeOf(file, ['plugins', table, 'registry']) }];
  });
}
