import { parse, TomlError } from 'smol-toml';
import type { Problem } from './problem.ts';

/** A TOML table as plain values: text, numbers, booleans, dates, lists and tables. */
export type TomlTable = { readonly [key: string]: TomlValue };
/** One of its values; a `bigint` is a whole number where the reader asked for `integersAsBigInt`. */
export type TomlValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | readonly TomlValue[]
  | TomlTable;

/** A TOML text as a value, or the one problem that ends the reading of it. */
export type TomlResult =
  | { readonly ok: true; readonly value: TomlTable }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Reads TOML 1.0 (and what 1.1 adds): `a = 1` → `{ ok: true, value: { a: 1 } }`.
 *
 * One byte order mark at the start is skipped. A bad text is one problem DOC_SYNTAX at its line and
 * column; TOML readers stop at the first error, so there is never more than one. Keys in file order.
 * With `integersAsBigInt` whole numbers are told from floats: `3` → `3n`, `3.0` → `3`.
 * For places of keys and headers see toml-scan.ts. Specification: https://toml.io/en/v1.0.0
 */
export function parseToml(
  text: string,
  file: string,
  options: { readonly integersAsBigInt?: boolean } = {},
): TomlResult {
  try {
    // smol-toml's TomlTable is the same shape, declared mutable.
    return { ok: true, value: parse(text.replace(/^\uFEFF(?!\uFEFF)/, ''), options) as TomlTable };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { ok: false, problem: syntaxProblem(error, file) };
  }
}

function syntaxProblem(error: TomlError, file: string): Problem {
  const [first = ''] = error.message.split('\n');
  return {
    file,
    line: error.line,
    column: error.column,
    code: 'DOC_SYNTAX',
    message: `not TOML: ${first.replace(/^Invalid TOML document: /, '')}`,
  };
}

/** True for a list of values, false for every other value, `undefined` included. */
export function isTomlList(value: TomlValue | undefined): value is readonly TomlValue[] {
  return Array.isArray(value);
}

/** True for a table, false for every other value, `undefined` included. */
export function isTomlTable(value: TomlValue | undefined): value is TomlTable {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}
