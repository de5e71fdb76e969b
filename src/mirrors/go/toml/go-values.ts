/** TOML values as Go's libraries hold them while they read, and as plain values afterwards. */

import type { TomlTable, TomlValue } from '../../../documents/toml.ts';

/** A table: names in the order in which they came. */
export type GoMap = Map<string, GoValue>;

/** Whole numbers are bigint, floats number; every date or time is a Date, whose value nobody reads. */
export type GoValue = string | number | bigint | boolean | Date | GoValue[] | TableList | GoMap;

/** A list of tables that stands for `[[headers]]`, which is another type than a list in brackets. */
export class TableList {
  readonly tables: GoMap[];

  constructor(tables: GoMap[] = []) {
    this.tables = tables;
  }

  /** The table that `[[header]]` opened last, for a list with tables. */
  last(): GoMap {
    const table = this.tables.at(-1);
    if (table === undefined) throw new RangeError('a list of tables without a table');
    return table;
  }
}

/** The map as a table of plain values; `lists` gets every list that stands for `[[headers]]`. */
export function plainTable(map: GoMap, lists = new WeakSet<object>()): TomlTable {
  const table: { [key: string]: TomlValue } = {};
  for (const [key, value] of map) {
    const plain = plainValue(value, lists);
    // A plain assignment to this one name would set the prototype.
    if (key !== '__proto__') table[key] = plain;
    else Object.defineProperty(table, key, { value: plain, enumerable: true });
  }
  return table;
}

function plainValue(value: GoValue, lists: WeakSet<object>): TomlValue {
  if (value instanceof Map) return plainTable(value, lists);
  if (Array.isArray(value)) return value.map((item) => plainValue(item, lists));
  if (!(value instanceof TableList)) return value;
  const list = value.tables.map((table) => plainTable(table, lists));
  lists.add(list);
  return list;
}
