/** The aliases that podman writes itself, which come before those of registries.conf. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Origin } from '../../finding.ts';
import type { TomlVersion } from '../../go/toml/burnt-sushi-tables.ts';
import { readAliases } from './aliases.ts';
import { DecodeFault, decodeGoStruct, type GoShape } from './decoded-table.ts';
import { Places } from './places.ts';
import type { RegistriesConfig } from './registries-config.ts';
import { type Alias, RegistriesFault } from './registries-types.ts';
import { mapOf } from './table-values.ts';

const FILE = '/var/cache/containers/short-name-aliases.conf';

const shape: GoShape = {
  struct: 'sysregistriesv2.shortNameAliasConf',
  fields: { aliases: 'map of strings' },
};

/** All aliases, or why no short name can be pulled. */
export type AllAliases =
  | { readonly kind: 'read'; readonly aliases: ReadonlyMap<string, Alias> }
  | { readonly kind: 'refused'; readonly error: string; readonly origin: Origin };

/** Both together. Source: go.podman.io/image/v5 v5.38.0, pkg/sysregistriesv2, ResolveShortNameAlias. */
export async function aliasesOf(
  tree: ConfigTree,
  { aliases }: Pick<RegistriesConfig, 'aliases'>,
  toml: TomlVersion,
): Promise<AllAliases> {
  const entry = await tree.read(FILE);
  if (entry.kind !== 'file') return { kind: 'read', aliases };
  try {
    const decoded = decodeGoStruct(entry.bytes, shape, { toml });
    const places = new Places(decoded, FILE, (fault) => {
      throw fault;
    });
    const own = readAliases(mapOf(decoded.table, 'aliases'), FILE, (message, name) =>
      places.report('alias', message, places.at(['aliases', name])),
    );
    return { kind: 'read', aliases: new Map([...aliases, ...own]) };
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    const message = `loading short-name aliases config file ${quoteGo(FILE)}: ${text}`;
    if (error instanceof RegistriesFault) {
      return { kind: 'refused', error: message, origin: error.origin };
    }
    if (!(error instanceof DecodeFault)) throw error;
    const { line, column } = error;
    return { kind: 'refused', error: message, origin: { file: FILE, line, column } };
  }
}
