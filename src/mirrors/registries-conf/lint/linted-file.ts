import type { TomlVersion } from '../../go/toml/burnt-sushi-tables.ts';
import type { DecodedTable } from '../read/decoded-table.ts';
import { bytesOf, type ReadFile } from '../read/registries-config.ts';
import { type RegistriesFile, readWholeFile } from '../read/registries-file.ts';
import { type ConfiguredRegistry, RegistriesFault } from '../read/registries-types.ts';
import { tablesOf } from '../read/table-values.ts';

/** One file as a lint sees it: all faults, and what can be read all the same. */
export interface LintedFile {
  readonly path: string;
  readonly file: RegistriesFile | undefined;
  readonly faults: readonly RegistriesFault[];
  /** The tables of the new format, each with what it was read as. */
  readonly tables: ReadonlyArray<readonly [DecodedTable, ConfiguredRegistry]>;
}

/** Reads a file to its end, whatever is wrong with it. */
export function lintedFile({ path, entry, isDropIn }: ReadFile, toml: TomlVersion): LintedFile {
  try {
    const { file, faults } = readWholeFile({ path, bytes: bytesOf(path, entry), toml, isDropIn });
    const written = file === undefined ? [] : tablesOf(file.decoded.table, 'registry');
    const tables = written.flatMap((table, index) => {
      const registry = file?.inFileOrder[index];
      return registry === undefined ? [] : [[table, registry] as const];
    });
    return { path, file, faults, tables };
  } catch (error) {
    if (!(error instanceof RegistriesFault)) throw error;
    return { path, file: undefined, faults: [error], tables: [] };
  }
}
