/** All configuration files as the one that containerd makes of them. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { type ConfigFile, newestConfigVersion, textsOf } from './config-files.ts';
import { migratePlugins } from './migrate-plugins.ts';
import { longName, shortName, tableOr, withLongNames } from './plugin-names.ts';

/** What holds after all files were read. */
export interface MergedConfig {
  readonly version: number;
  /** The known keys at the top; for plugins see {@link MergedConfig.settingsOf}. */
  readonly keys: TomlTable;
  readonly disabled: readonly string[];
  readonly required: readonly string[];
  /** How a plugin is called in this configuration: `cri`, or with its long name. */
  nameOf(plugin: string): string;
  isDisabled(plugin: string): boolean;
  /** The names of all tables below `plugins`. */
  readonly sections: readonly string[];
  /** What stands below `plugins` for it after migration: anything, or undefined. */
  settingsOf(plugin: string): TomlValue | undefined;
}

/** Merges files that {@link loadConfigFiles} read. Throws {@link StartFault} where containerd panics. */
export function mergeConfig(
  files: readonly ConfigFile[],
  behaviour: ContainerdBehaviour,
): MergedConfig {
  const isNew = behaviour.has('merges-plugin-sections');
  const version = isNew ? newVersion(files, behaviour) : oldVersion(files);
  const plugins = isNew ? newPlugins(files, version, behaviour) : oldPlugins(files);
  const isShort = !isNew && version === 1;
  const nameOf = (plugin: string) => (isShort ? shortName(plugin) : plugin);
  const listOf = (key: string) => files.flatMap((file) => namesIn(file, key, isNew));
  const disabled = listOf('disabled_plugins');
  return {
    version,
    keys: files.reduce<TomlTable>((all, { value }) => overridden(all, value), {}),
    disabled,
    required: listOf('required_plugins'),
    nameOf,
    isDisabled: (plugin) => disabled.includes(nameOf(plugin)),
    sections: Object.keys(plugins),
    settingsOf: (plugin) => plugins[nameOf(plugin)],
  };
}

/** 2.x gives the plugins of a file of version 1 their long names, in lists too. */
function namesIn({ version, value }: ConfigFile, key: string, isNew: boolean): readonly string[] {
  const names = textsOf(value[key]);
  return isNew && version < 2 ? names.map(longName) : names;
}

function oldVersion(files: readonly ConfigFile[]): number {
  return files.findLast((file) => file.version > 0)?.version ?? 1;
}

/** A file of version 1, or of none, takes the version of those before it. */
function newVersion(files: readonly ConfigFile[], behaviour: ContainerdBehaviour): number {
  const last = files.findLast((file) => file.version > 1);
  return last?.version ?? newestConfigVersion(behaviour);
}

/** 1.x replaces the whole section of a plugin. */
function oldPlugins(files: readonly ConfigFile[]): TomlTable {
  const sections = files.flatMap(({ value }) => Object.entries(tableOr(value['plugins'])));
  return Object.fromEntries(sections);
}

function newPlugins(
  files: readonly ConfigFile[],
  version: number,
  behaviour: ContainerdBehaviour,
): TomlTable {
  const newest = newestConfigVersion(behaviour);
  const each = files.map((file): TomlTable => {
    const own = tableOr(file.value['plugins']);
    const named = file.version < 2 ? withLongNames(own) : own;
    const isMigrated = behaviour.has('migrates-each-file') && file.version < newest;
    return isMigrated ? migratePlugins(named) : named;
  });
  const merged = each.reduce<TomlTable>(mergeSections, {});
  const isLate = !behaviour.has('migrates-each-file') && version < newest;
  return isLate ? migratePlugins(merged) : merged;
}

/** As mergo does it below `plugins`: tables merge, a list stays, everything else is replaced. */
function mergeSections(to: TomlTable, from: TomlTable): TomlTable {
  const merged: Record<string, TomlValue> = { ...to };
  for (const [key, value] of Object.entries(from)) {
    const before = merged[key];
    if (isTomlTable(value) && isTomlTable(before)) merged[key] = mergeSections(before, value);
    else if (!(Array.isArray(before) && before.length > 0)) merged[key] = value;
  }
  return merged;
}

/** As mergo does it with Go's own types: a value that says nothing does not replace one that does. */
function overridden(to: TomlTable, from: TomlTable): TomlTable {
  const merged: Record<string, TomlValue> = { ...to };
  for (const [key, value] of Object.entries(from)) {
    const before = merged[key];
    if (isTomlTable(value) && isTomlTable(before)) merged[key] = overridden(before, value);
    else if (value !== '' && value !== 0 && value !== false) merged[key] = value;
  }
  return merged;
}
