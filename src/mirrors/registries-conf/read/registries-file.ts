/** One registries.conf or drop-in: decoded, checked, and put into the form that pulls use. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { compareBytes } from '../../go/byte-order.ts';
import type { TomlVersion } from '../../go/toml/burnt-sushi-tables.ts';
import { readAliases } from './aliases.ts';
import { checkLocation } from './check-location.ts';
import { type Decoded, type DecodedTable, DecodeFault, decodeGoStruct } from './decoded-table.ts';
import { hasNewFormat, hasOldFormat, oldFormat } from './old-format.ts';
import { Places } from './places.ts';
import { readRegistry } from './read-registry.ts';
import { mixedFormats, registriesShape } from './registries-shape.ts';
import {
  type ConfiguredRegistry,
  type ReadFormat,
  RegistriesFault,
  type RegistriesFaultKind,
  type RegistriesSettings,
  type ShortNameMode,
} from './registries-types.ts';
import { mapOf, tablesOf, textOf, textsOf } from './table-values.ts';

/** A file and how it is read. */
export interface FileSource {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly toml: TomlVersion;
  /** Drop-ins may not have the format of version 1. */
  readonly isDropIn: boolean;
}

/** What a file says, with its tables in file order, repeated prefixes too. */
export interface RegistriesFile {
  readonly settings: RegistriesSettings;
  readonly inFileOrder: readonly ConfiguredRegistry[];
  readonly decoded: Decoded;
}

/**
 * What a file says. Throws the first {@link RegistriesFault} with the library's own words, without the
 * name of the file: `invalid location 'https://m': URI schemes are not supported`.
 * Source: go.podman.io/image/v5 v5.38.0, pkg/sysregistriesv2, loadConfigFile.
 */
export function readRegistriesFile(source: FileSource): RegistriesSettings {
  return readFile(source, (fault) => {
    throw fault;
  }).settings;
}

/** The file with everything that is wrong with it, not only the first; without a file when it is no TOML. */
export function readWholeFile(source: FileSource): {
  readonly file?: RegistriesFile;
  readonly faults: readonly RegistriesFault[];
} {
  const faults: RegistriesFault[] = [];
  try {
    return { file: readFile(source, (fault) => faults.push(fault)), faults };
  } catch (error) {
    if (!(error instanceof RegistriesFault)) throw error;
    return { faults: [...faults, error] };
  }
}

function readFile(source: FileSource, report: (fault: RegistriesFault) => void): RegistriesFile {
  const decoded = decodeFile(source, report);
  const { table } = decoded;
  const places = new Places(decoded, source.path, report);
  if (hasOldFormat(table)) checkFormat(table, source, places);
  const isNew = source.isDropIn || hasNewFormat(table);
  const read = isNew ? newFormat(table, places) : oldFormat(table, places);
  checkConflicts(read.registries, places);
  const searchRegistries = read.search?.map((name) => checkSearch(name, places));
  const shortNameMode = checkMode(textOf(table, 'short-name-mode'), places);
  const registries = oncePerPrefix(read.registries);
  for (const registry of registries) checkWildcard(registry, places);
  const aliases = readAliases(mapOf(table, 'aliases'), source.path, (message, name) =>
    places.report(
      'alias',
      `validating short-name aliases: ${message}`,
      places.at(['aliases', name]),
    ),
  );
  const credentialHelpers = textsOf(table, 'credential-helpers');
  const settings = { registries, searchRegistries, credentialHelpers, shortNameMode, aliases };
  return { settings, inFileOrder: read.registries, decoded };
}

function decodeFile(
  { path, bytes, toml }: FileSource,
  report: (fault: RegistriesFault) => void,
): Decoded {
  const inFile = (fault: DecodeFault) =>
    new RegistriesFault(kindOf(fault), fault.message, {
      file: path,
      line: fault.line,
      column: fault.column,
    });
  try {
    const onFault = (fault: DecodeFault) => report(inFile(fault));
    return decodeGoStruct(bytes, registriesShape, { toml, onFault });
  } catch (error) {
    throw error instanceof DecodeFault ? inFile(error) : error;
  }
}

function kindOf({ kind, steps }: DecodeFault): RegistriesFaultKind {
  const keys = steps.filter((step) => typeof step === 'string');
  const name = keys.join('.').toLowerCase();
  if (name === 'registries' && steps.length === 1) return 'list-of-registries';
  return name === 'registry.mirror' ? 'no-mirror-tables' : kind;
}

function checkFormat(table: DecodedTable, { isDropIn }: FileSource, places: Places): void {
  const at = places.at(['registries']);
  if (isDropIn) places.report('old-drop-in', 'registry must be in v2 format but is in v1', at);
  if (hasNewFormat(table)) places.report('both-formats', mixedFormats(table), at);
}

function newFormat(table: DecodedTable, places: Places): ReadFormat {
  const registries = tablesOf(table, 'registry').map((one) => readRegistry(one, places));
  return { registries, search: textsOf(table, 'unqualified-search-registries') };
}

/** Tables of one location must agree; a prefix stands for a location that is not there. */
function checkConflicts(registries: readonly ConfiguredRegistry[], places: Places): void {
  const keyOf = ({ prefix, endpoint }: ConfiguredRegistry) => endpoint.location || prefix;
  const groups = Map.groupBy(registries, keyOf);
  const reported = new Set<ConfiguredRegistry>();
  for (const registry of registries) {
    for (const other of groups.get(keyOf(registry)) ?? []) {
      const setting = differing(registry, other);
      if (setting === undefined || reported.has(registry)) continue;
      const message = `registry '${registry.endpoint.location}' is defined multiple times with conflicting '${setting}' setting`;
      reported.add(other);
      places.report('conflict', message, other.origin);
    }
  }
}

function differing(a: ConfiguredRegistry, b: ConfiguredRegistry): string | undefined {
  if (a.endpoint.insecure !== b.endpoint.insecure) return 'insecure';
  return a.blocked === b.blocked ? undefined : 'blocked';
}

const domain =
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]+)?$/;

function checkSearch(written: string, places: Places): string {
  const origin = places.at(['unqualified-search-registries']);
  const registry = checkLocation(written, origin, places);
  if (!domain.test(registry)) {
    const message = `Invalid unqualified-search-registries entry ${quoteGo(registry)}`;
    places.report('search', message, origin);
  }
  return registry;
}

function checkMode(mode: string, places: Places): ShortNameMode | undefined {
  if (mode === '') return undefined;
  if (mode === 'enforcing' || mode === 'permissive' || mode === 'disabled') return mode;
  const message = `invalid short-name mode: ${quoteGo(mode)}`;
  places.report('mode', message, places.at(['short-name-mode']));
  return undefined;
}

/** The first table of a prefix counts; sorted as the library keeps them. */
function oncePerPrefix(registries: readonly ConfiguredRegistry[]): readonly ConfiguredRegistry[] {
  const first = new Map<string, ConfiguredRegistry>();
  for (const one of registries) if (!first.has(one.prefix)) first.set(one.prefix, one);
  return [...first.values()].sort((a, b) => compareBytes(a.prefix, b.prefix));
}

function checkWildcard({ prefix, origin }: ConfiguredRegistry, places: Places): void {
  if (!prefix.startsWith('*.') || !/[/@:]/.test(prefix)) return;
  const message = `Wildcarded prefix should be in the format: *.example.com. Current prefix ${quoteGo(prefix)} is incorrectly formatted`;
  places.report('wildcard', message, origin);
}
