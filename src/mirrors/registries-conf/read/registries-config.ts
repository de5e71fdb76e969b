/** All files of registries.conf as one configuration, or the reason why every pull fails. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import type { ConfigTree, TreeEntry } from '../../config-tree.ts';
import type { FilePlace } from '../../finding.ts';
import { compareBytes } from '../../go/byte-order.ts';
import { goReadError } from '../../go/go-file-error.ts';
import type { TomlVersion } from '../../go/toml/burnt-sushi-tables.ts';
import { readRegistriesFile } from './registries-file.ts';
import {
  type Alias,
  type ConfiguredRegistry,
  RegistriesFault,
  type RegistriesFaultKind,
  type RegistriesSettings,
  type ShortNameMode,
} from './registries-types.ts';

/** Which files are read. */
export interface ConfigPlaces {
  readonly main: string;
  /** True when nobody named the main file, so that it may be missing. */
  readonly mayBeMissing: boolean;
  /** Folders with drop-ins, in order. */
  readonly folders: readonly string[];
}

/** A file that is read, and what stands there. */
export interface ReadFile {
  readonly path: string;
  readonly entry: TreeEntry;
  readonly isDropIn: boolean;
}

/** What all files say together. */
export interface RegistriesConfig {
  readonly kind: 'read';
  readonly registries: readonly ConfiguredRegistry[];
  readonly searchRegistries: readonly string[];
  /** The file that set the search list, else the main file; empty when that is missing too. */
  readonly searchFile: string;
  readonly shortNameMode: ShortNameMode;
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly credentialHelpers: readonly string[];
  readonly places: ConfigPlaces;
  readonly files: readonly ReadFile[];
}

/** Every pull fails with this error. */
export interface RefusedConfig {
  readonly kind: 'refused';
  readonly error: string;
  readonly fault: RegistriesFaultKind;
  readonly origin: FilePlace;
  readonly places: ConfigPlaces;
  readonly files: readonly ReadFile[];
}

/** The helper that stands for the login files. */
export const AUTH_FILES = 'containers-auth.json';

const USER_CONFIG = '/root/.config/containers';
const SYSTEM_CONFIG = '/etc/containers';

/** The files that root's programs read: root's own main file takes the place of all that is in /etc. */
export async function placesOn(tree: ConfigTree): Promise<ConfigPlaces> {
  const own = `${USER_CONFIG}/registries.conf`;
  const hasOwn = (await tree.read(own)).kind !== 'missing';
  const folder = `${USER_CONFIG}/registries.conf.d`;
  return hasOwn
    ? { main: own, mayBeMissing: true, folders: [folder] }
    : {
        main: `${SYSTEM_CONFIG}/registries.conf`,
        mayBeMissing: true,
        folders: [`${SYSTEM_CONFIG}/registries.conf.d`, folder],
      };
}

/**
 * Reads the main file and the drop-ins by name, folder by folder; bad configuration is an answer.
 * Source: go.podman.io/image/v5 v5.38.0, pkg/sysregistriesv2, tryUpdatingCache.
 */
export async function readRegistriesConfig(
  tree: ConfigTree,
  places: ConfigPlaces,
  toml: TomlVersion,
): Promise<RegistriesConfig | RefusedConfig> {
  const files = await filesAt(tree, places);
  try {
    const read = files.map((file) => [settingsOf(file, toml), file] as const);
    return { kind: 'read', ...merge(read), places, files };
  } catch (error) {
    if (!(error instanceof RegistriesFault)) throw error;
    const { kind: fault, message, origin } = error;
    return { kind: 'refused', error: message, fault, origin, places, files };
  }
}

async function filesAt(tree: ConfigTree, places: ConfigPlaces): Promise<readonly ReadFile[]> {
  const main = { path: places.main, entry: await tree.read(places.main), isDropIn: false };
  const files: ReadFile[] = main.entry.kind === 'missing' && places.mayBeMissing ? [] : [main];
  for (const path of await dropInsOf(tree, places)) {
    files.push({ path, entry: await tree.read(path), isDropIn: true });
  }
  return files;
}

async function dropInsOf(tree: ConfigTree, { folders }: ConfigPlaces): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    const names = await tree.list(folder);
    const files = names.filter(({ name, isFolder }) => !isFolder && name.endsWith('.conf'));
    paths.push(...files.map(({ name }) => `${folder}/${name}`));
  }
  return paths;
}

function settingsOf(file: ReadFile, toml: TomlVersion): RegistriesSettings {
  const { path, entry, isDropIn } = file;
  try {
    return readRegistriesFile({ path, bytes: bytesOf(path, entry), toml, isDropIn });
  } catch (error) {
    throw error instanceof RegistriesFault ? loading(file, error) : error;
  }
}

/** What stands in a file. Throws RegistriesFault where nothing can be read. */
export function bytesOf(path: string, entry: TreeEntry): Uint8Array {
  if (entry.kind === 'file') return entry.bytes;
  throw new RegistriesFault('unreadable', goReadError(path, entry), { file: path });
}

function loading({ path, isDropIn }: ReadFile, fault: RegistriesFault): RegistriesFault {
  const what = isDropIn ? 'drop-in registries configuration' : 'registries configuration';
  const message = `loading ${what} ${quoteGo(path)}: ${fault.message}`;
  return new RegistriesFault(fault.kind, message, fault.origin);
}

type Merged = Omit<RegistriesConfig, 'kind' | 'places' | 'files'>;

/** A later file replaces the whole table of a prefix, and each scalar that it sets. */
function merge(read: ReadonlyArray<readonly [RegistriesSettings, ReadFile]>): Merged {
  const all = read.map(([settings]) => settings);
  const registries = all.flatMap((settings) =>
    settings.registries.map((one) => [one.prefix, one] as const),
  );
  const helpers = all.findLast((one) => one.credentialHelpers !== undefined)?.credentialHelpers;
  return {
    registries: [...new Map(registries).values()].sort((a, b) => compareBytes(a.prefix, b.prefix)),
    ...searchOf(read),
    shortNameMode:
      all.findLast((one) => one.shortNameMode !== undefined)?.shortNameMode ?? 'permissive',
    aliases: new Map(all.flatMap(({ aliases }) => [...aliases])),
    credentialHelpers: helpers === undefined || helpers.length === 0 ? [AUTH_FILES] : helpers,
  };
}

function searchOf(
  read: ReadonlyArray<readonly [RegistriesSettings, ReadFile]>,
): Pick<RegistriesConfig, 'searchRegistries' | 'searchFile'> {
  const [settings, file] = read.findLast(([one]) => one.searchRegistries !== undefined) ?? [];
  const main = read.find(([, { isDropIn }]) => !isDropIn)?.[1];
  return {
    searchRegistries: settings?.searchRegistries ?? [],
    searchFile: file?.path ?? main?.path ?? '',
  };
}
