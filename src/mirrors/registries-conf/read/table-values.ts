/** Values of decoded tables by their type. */

import { type DecodedTable, type DecodedValue, isDecodedTable } from './decoded-table.ts';

/** The text of a key; empty when it is not there. */
export function textOf(table: DecodedTable, name: string): string {
  const value = table.values.get(name);
  return typeof value === 'string' ? value : '';
}

/** False when the key is not there. */
export function flagOf(table: DecodedTable, name: string): boolean {
  return table.values.get(name) === true;
}

/** Undefined when the key is not there: an empty list is not the same. */
export function textsOf(table: DecodedTable, name: string): readonly string[] | undefined {
  const value = table.values.get(name);
  return isList(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

/** The tables of `[[name]]`, or of a list of inline tables. */
export function tablesOf(table: DecodedTable, name: string): readonly DecodedTable[] {
  const value = table.values.get(name);
  return isList(value) ? value.filter(isDecodedTable) : [];
}

/** A table of texts. */
export function mapOf(table: DecodedTable, name: string): ReadonlyMap<string, string> {
  const value = table.values.get(name);
  return value instanceof Map ? value : new Map<string, string>();
}

function isList(value: DecodedValue | undefined): value is readonly DecodedValue[] {
  return Array.isArray(value);
}
