/** The Go types of registries.conf, and how Go prints them. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import {
  type DecodedTable,
  type DecodedValue,
  type GoShape,
  isDecodedTable,
} from './decoded-table.ts';

const endpoint = { location: 'string', insecure: 'bool', 'pull-from-mirror': 'string' } as const;

const texts: GoShape = { list: 'string' };

const oldList: GoShape = {
  struct: 'sysregistriesv2.V1TOMLregistries',
  fields: { registries: texts },
};

/** Both formats at once. Source: V2RegistriesConf and V1RegistriesConf of pkg/sysregistriesv2. */
export const registriesShape: GoShape = {
  struct: 'sysregistriesv2.tomlConfig',
  fields: {
    registry: {
      list: {
        struct: 'sysregistriesv2.Registry',
        fields: {
          prefix: 'string',
          ...endpoint,
          mirror: { list: { struct: 'sysregistriesv2.Endpoint', fields: endpoint } },
          blocked: 'bool',
          'mirror-by-digest-only': 'bool',
        },
      },
    },
    'unqualified-search-registries': texts,
    'credential-helpers': texts,
    'short-name-mode': 'string',
    'additional-layer-store-auth-helper': 'string',
    aliases: 'map of strings',
    registries: {
      struct: 'sysregistriesv2.V1TOMLConfig',
      fields: { search: oldList, insecure: oldList, block: oldList },
    },
  },
};

/** The error about a file with both formats, which prints all that was read (Go's `%#v`). */
export function mixedFormats(table: DecodedTable): string {
  const old = table.values.get('registries');
  const lists = isDecodedTable(old) ? old : undefined;
  const v2 = struct('V2RegistriesConf', [
    [
      'Registries',
      printList(table.values.get('registry'), 'sysregistriesv2.Registry', printRegistry),
    ],
    ['UnqualifiedSearchRegistries', printTexts(table.values.get('unqualified-search-registries'))],
    ['CredentialHelpers', printTexts(table.values.get('credential-helpers'))],
    ['ShortNameMode', printText(table, 'short-name-mode')],
    ['AdditionalLayerStoreAuthHelper', printText(table, 'additional-layer-store-auth-helper')],
    [
      'shortNameAliasConf',
      struct('shortNameAliasConf', [['Aliases', printMap(table.values.get('aliases'))]]),
    ],
  ]);
  const v1 = struct('V1TOMLConfig', [
    ['Search', printOldList(lists, 'search')],
    ['Insecure', printOldList(lists, 'insecure')],
    ['Block', printOldList(lists, 'block')],
  ]);
  const all = struct('tomlConfig', [
    ['V2RegistriesConf', v2],
    ['V1RegistriesConf', struct('V1RegistriesConf', [['V1TOMLConfig', v1]])],
  ]);
  return `mixing sysregistry v1/v2 is not supported: ${all}`;
}

function struct(name: string, fields: ReadonlyArray<readonly [string, string]>): string {
  return `sysregistriesv2.${name}{${fields.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

function printRegistry(table: DecodedTable): string {
  return struct('Registry', [
    ['Prefix', printText(table, 'prefix')],
    ['Endpoint', printEndpoint(table)],
    ['Mirrors', printList(table.values.get('mirror'), 'sysregistriesv2.Endpoint', printEndpoint)],
    ['Blocked', printFlag(table, 'blocked')],
    ['MirrorByDigestOnly', printFlag(table, 'mirror-by-digest-only')],
  ]);
}

function printEndpoint(table: DecodedTable): string {
  return struct('Endpoint', [
    ['Location', printText(table, 'location')],
    ['Insecure', printFlag(table, 'insecure')],
    ['PullFromMirror', printText(table, 'pull-from-mirror')],
  ]);
}

function printOldList(lists: DecodedTable | undefined, name: string): string {
  const value = lists?.values.get(name);
  const registries = isDecodedTable(value) ? value.values.get('registries') : undefined;
  return struct('V1TOMLregistries', [['Registries', printTexts(registries)]]);
}

function printText(table: DecodedTable, name: string): string {
  const value = table.values.get(name);
  return quoteGo(typeof value === 'string' ? value : '');
}

function printFlag(table: DecodedTable, name: string): string {
  return String(table.values.get(name) === true);
}

function printTexts(value: DecodedValue | undefined): string {
  if (!Array.isArray(value)) return '[]string(nil)';
  return `[]string{${value.map((item) => quoteGo(String(item))).join(', ')}}`;
}

function printList(
  value: DecodedValue | undefined,
  type: string,
  print: (table: DecodedTable) => string,
): string {
  if (!Array.isArray(value)) return `[]${type}(nil)`;
  return `[]${type}{${value.filter(isDecodedTable).map(print).join(', ')}}`;
}

function printMap(value: DecodedValue | undefined): string {
  if (!(value instanceof Map)) return 'map[string]string(nil)';
  const entries = Array.from(
    value,
    ([key, item]) => `${quoteGo(String(key))}:${quoteGo(String(item))}`,
  );
  return `map[string]string{${entries.sort().join(', ')}}`;
}
