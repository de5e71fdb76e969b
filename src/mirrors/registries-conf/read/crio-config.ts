/** What CRI-O's own configuration says about pulling: /etc/crio/crio.conf and all files below crio.conf.d. */

import { nearestTomlPlace } from '../../../documents/toml-places.ts';
import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { FilePlace } from '../../finding.ts';
import type { TomlVersion } from '../../go/toml/burnt-sushi-tables.ts';
import {
  type Decoded,
  DecodeFault,
  decodeGoStruct,
  type GoShape,
  isDecodedTable,
} from './decoded-table.ts';
import { textOf, textsOf } from './table-values.ts';

/** CRI-O's main file. */
export const CRIO_CONF = '/etc/crio/crio.conf';
/** The folder of its drop-ins, which are read after it by their names. */
export const CRIO_CONF_D = '/etc/crio/crio.conf.d';

const image: GoShape = {
  struct: 'struct { config.ImageConfig }',
  fields: {
    global_auth_file: 'string',
    pause_image: 'string',
    short_name_mode: 'string',
    insecure_registries: { list: 'string' },
  },
};
const shape: GoShape = {
  struct: 'config.tomlConfig',
  fields: { crio: { struct: 'config.crio', fields: { image } } },
};

/** A setting and where it was made. */
export interface CrioSetting {
  readonly value: string;
  readonly origin: FilePlace;
}

/** The settings that concern pulls; the last file that has one wins. */
export type CrioConfig =
  | {
      readonly kind: 'read';
      readonly globalAuthFile: CrioSetting | undefined;
      readonly pauseImage: CrioSetting | undefined;
      readonly shortNameMode: CrioSetting | undefined;
      /** `insecure_registries`, which nothing reads any more. */
      readonly insecureRegistries: FilePlace | undefined;
    }
  | { readonly kind: 'refused'; readonly error: string; readonly origin: FilePlace };

/** Reads them; a file that is wrong keeps CRI-O from starting. Source: cri-o v1.34.0, pkg/config/config.go. */
export async function readCrioConfig(tree: ConfigTree, toml: TomlVersion): Promise<CrioConfig> {
  const found = new Map<string, CrioSetting>();
  for (const path of [CRIO_CONF, ...(await filesBelow(tree, CRIO_CONF_D))]) {
    const entry = await tree.read(path);
    if (entry.kind !== 'file') continue;
    const decoded = decodeFile(path, entry.bytes, toml);
    if ('error' in decoded) {
      const step = path === CRIO_CONF ? 'update config from drop-in file' : 'walk path';
      return { kind: 'refused', ...decoded, error: `${step}: ${decoded.error}` };
    }
    for (const [name, setting] of settingsIn(decoded, path)) found.set(name, setting);
  }
  // An empty text takes back what a file before said.
  const set = new Map([...found].filter(([, { value }]) => value !== ''));
  const mode = set.get('short_name_mode');
  if (mode !== undefined && !['enforcing', 'disabled'].includes(mode.value)) {
    const error = `invalid short name mode ${quoteGo(mode.value)}`;
    return { kind: 'refused', error, origin: mode.origin };
  }
  return {
    kind: 'read',
    globalAuthFile: set.get('global_auth_file'),
    pauseImage: set.get('pause_image'),
    shortNameMode: mode,
    insecureRegistries: set.get('insecure_registries')?.origin,
  };
}

/** All files, in folders of folders too, whatever they are called. */
async function filesBelow(tree: ConfigTree, folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { name, isFolder } of await tree.list(folder)) {
    const path = `${folder}/${name}`;
    paths.push(...(isFolder ? await filesBelow(tree, path) : [path]));
  }
  return paths;
}

function decodeFile(
  path: string,
  bytes: Uint8Array,
  toml: TomlVersion,
): Decoded | { readonly error: string; readonly origin: FilePlace } {
  try {
    return decodeGoStruct(bytes, shape, { toml });
  } catch (error) {
    if (!(error instanceof DecodeFault)) throw error;
    const { message, line, column } = error;
    const text = `unable to decode configuration ${path}: ${message}`;
    return { error: text, origin: { file: path, line, column } };
  }
}

function settingsIn(
  { table, scan }: Decoded,
  file: string,
): ReadonlyArray<readonly [string, CrioSetting]> {
  const crio = table.values.get('crio');
  const images = isDecodedTable(crio) ? crio.values.get('image') : undefined;
  if (!isDecodedTable(images)) return [];
  return Array.from(images.spelled, ([name, key]) => {
    const place = nearestTomlPlace(scan, [...images.steps, key]);
    const at = place === undefined ? {} : { line: place.line, column: place.column };
    const value = textOf(images, name) || (textsOf(images, name) ?? []).join(', ');
    return [name, { value, origin: { file, ...at } }] as const;
  });
}
