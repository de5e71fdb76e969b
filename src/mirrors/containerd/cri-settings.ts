/** What the CRI plugin is told about pulling: from all configuration files, migrated and merged. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../documents/toml.ts';
import { tomlLine } from '../../documents/toml-headers.ts';
import type { Origin } from '../finding.ts';
import type { ContainerdBehaviour } from './behaviour.ts';
import { type ConfigFile, newestConfigVersion, textsOf, valueAt } from './config-files.ts';

const OLD = 'io.containerd.grpc.v1.cri';
const IMAGES = 'io.containerd.cri.v1.images';

/** The settings of the images part of CRI, and where each one comes from. */
export interface CriSettings {
  /** The table that holds them, in the words of this version. */
  readonly table: string;
  readonly images: TomlTable;
  readonly disabledPlugins: readonly string[];
  /** The place of a setting, `['registry', 'config_path']`; the last file that has it wins. */
  originOf(path: readonly string[]): Origin | undefined;
  /** Tables for pulling that this version does not read, such as the old name in a new file. */
  readonly unread: readonly { readonly table: string; readonly origin: Origin }[];
}

/** Merges the files as this version does. */
export function criSettings(
  files: readonly ConfigFile[],
  behaviour: ContainerdBehaviour,
): CriSettings {
  const parts = behaviour.has('images-plugin') ? newParts(files, behaviour) : oldParts(files);
  const merged = behaviour.has('merges-plugin-sections')
    ? parts.reduce<TomlTable>((sum, part) => merge(sum, part.images), {})
    : (parts.at(-1)?.images ?? {});
  const counted = behaviour.has('merges-plugin-sections') ? parts : parts.slice(-1);
  return {
    table: behaviour.has('images-plugin') ? IMAGES : (parts.at(-1)?.table ?? OLD),
    images: merged,
    disabledPlugins: files.flatMap(({ value }) => textsOf(value['disabled_plugins'])),
    originOf: (path) => originIn(counted, path),
    unread: unreadTables(files, counted),
  };
}

/** The part of one file that counts; `places` says where its settings stand in the file. */
interface Part {
  readonly file: ConfigFile;
  /** The table that it mainly comes from, and all that were read for it. */
  readonly table: string;
  readonly tables: readonly string[];
  readonly images: TomlTable;
  readonly places: (path: readonly string[]) => readonly (readonly string[])[];
}

/** 1.x: the version of all files together says whether the plugin is `cri` or has its long name. */
function oldParts(files: readonly ConfigFile[]): readonly Part[] {
  const version = files.findLast((file) => file.version > 0)?.version ?? 1;
  const table = version === 1 ? 'cri' : OLD;
  return files.flatMap((file) => {
    const images = valueAt(file.value, ['plugins', table]);
    return isTomlTable(images) ? [directPart(file, table, images)] : [];
  });
}

function directPart(file: ConfigFile, table: string, images: TomlTable): Part {
  return { file, table, tables: [table], images, places: (path) => [['plugins', table, ...path]] };
}

/** 2.x: each file is migrated by its own version before it is merged. */
function newParts(files: readonly ConfigFile[], behaviour: ContainerdBehaviour): readonly Part[] {
  return files.flatMap((file) => {
    const own = valueAt(file.value, ['plugins', IMAGES]);
    const oldName = oldTableName(file);
    const old = valueAt(file.value, ['plugins', oldName]);
    const images = isTomlTable(own) ? own : {};
    const isMigrated = file.version < newestConfigVersion(behaviour) && isTomlTable(old);
    if (isMigrated) return [migratedPart(file, oldName, images, old)];
    return isTomlTable(own) ? [directPart(file, IMAGES, own)] : [];
  });
}

function oldTableName(file: ConfigFile): string {
  const hasShort = file.version < 2 && isTomlTable(valueAt(file.value, ['plugins', 'cri']));
  return hasShort ? 'cri' : OLD;
}

const migratedKeys = ['registry', 'max_concurrent_downloads', 'image_pull_with_sync_fs'];
const migratedRuntimeKeys = ['disable_snapshot_annotations', 'discard_unpacked_layers'];

/** The old table's settings replace those of the new one, key by key. */
function migratedPart(file: ConfigFile, table: string, images: TomlTable, old: TomlTable): Part {
  const runtime = valueAt(old, ['containerd']);
  const sandbox = old['sandbox_image'];
  const pinned = valueAt(images, ['pinned_images']);
  return {
    file,
    table,
    tables: [table, IMAGES],
    images: {
      ...images,
      ...picked(old, migratedKeys),
      ...(isTomlTable(runtime) ? picked(runtime, migratedRuntimeKeys) : {}),
      ...(sandbox === undefined
        ? {}
        : { pinned_images: { ...(isTomlTable(pinned) ? pinned : {}), sandbox } }),
    },
    places: (path) => [...oldPlaces(table, path), ['plugins', IMAGES, ...path]],
  };
}

function oldPlaces(table: string, path: readonly string[]): readonly (readonly string[])[] {
  const [first = ''] = path;
  if (first === 'pinned_images') return [['plugins', table, 'sandbox_image']];
  if (migratedRuntimeKeys.includes(first)) return [['plugins', table, 'containerd', first]];
  return migratedKeys.includes(first) ? [['plugins', table, ...path]] : [];
}

function picked(table: TomlTable, keys: readonly string[]): TomlTable {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = table[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** As mergo does it inside a plugin's section: tables merge, a list stays, everything else is replaced. */
function merge(to: TomlTable, from: TomlTable): TomlTable {
  const merged: Record<string, TomlValue> = { ...to };
  for (const [key, value] of Object.entries(from)) {
    const before = merged[key];
    if (isTomlTable(value) && isTomlTable(before)) merged[key] = merge(before, value);
    else if (!(Array.isArray(before) && before.length > 0)) merged[key] = value;
  }
  return merged;
}

function originIn(parts: readonly Part[], path: readonly string[]): Origin | undefined {
  for (const part of parts.toReversed()) {
    for (const place of part.places(path)) {
      if (valueAt(part.file.value, place) === undefined) continue;
      const line = tomlLine(part.file.scan, place);
      return line === undefined ? { file: part.file.path } : { file: part.file.path, line };
    }
  }
  return undefined;
}

function unreadTables(
  files: readonly ConfigFile[],
  counted: readonly Part[],
): CriSettings['unread'] {
  return files.flatMap((file) =>
    ['cri', OLD, IMAGES].flatMap((table) => {
      const isRead = counted.some((part) => part.file === file && part.tables.includes(table));
      const section = valueAt(file.value, ['plugins', table]);
      const setsPulls = isTomlTable(section) && Object.hasOwn(section, 'registry');
      if (!setsPulls || isRead) return [];
      const line = tomlLine(file.scan, ['plugins', table, 'registry']);
      return [
        { table, origin: line === undefined ? { file: file.path } : { file: file.path, line } },
      ];
    }),
  );
}
