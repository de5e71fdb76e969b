/** Reads TOML as BurntSushi/toml does, the library of podman, CRI-O and skopeo. */

import type { TomlTable, TomlValue } from '../../../documents/toml.ts';
import { tomlStatements } from '../../../documents/toml-lines.ts';
import {
  scanToml,
  type TomlHeader,
  type TomlItem,
  type TomlKey,
  type TomlKeyPart,
  type TomlScan,
} from '../../../documents/toml-scan.ts';
import { readNumber } from './bare-values.ts';
import { readText } from './basic-text.ts';
import { BurntSushiTables, NameTaken, type TomlVersion } from './burnt-sushi-tables.ts';
import { type DateRules, isDate } from './dates.ts';
import { refuseControls, textOfBytes, utf8Fault } from './encoding.ts';
import { type GoMap, type GoValue, plainTable } from './go-values.ts';
import { faultOf, RefusedToml, stopOf, type TomlFault } from './toml-fault.ts';

/** The tables, whole numbers as bigint; or why the library does not read the file. */
export type BurntSushiToml =
  | {
      readonly ok: true;
      readonly value: TomlTable;
      readonly scan: TomlScan;
      /** The line that the library names for a path of names. */
      readonly lineOf: (path: readonly string[]) => number | undefined;
      /** Whether a list stands for `[[headers]]`: another type than a list in brackets. */
      readonly isTableList: (value: TomlValue) => boolean;
    }
  | ({ readonly ok: false } & TomlFault);

/**
 * Reads a file. Never throws for bad input. Up to 64 tables may be inside each other, then it is `too-deep`.
 * Source: github.com/BurntSushi/toml v1.5.0 (`1.0`) and v1.6.0 (`1.1`); run in test/oracles/toml.
 */
export function readBurntSushi(bytes: Uint8Array, version: TomlVersion): BurntSushiToml {
  const marked = withoutUtf16Mark(bytes);
  const encoding = utf8Fault(marked);
  if (encoding !== undefined) return { ok: false, ...encoding };
  const text = textOfBytes(marked);
  const scan = scanToml(text);
  try {
    refuseControls(text);
    const reader = new Reader(scan, version);
    const root = reader.readAll();
    const stop = stopOf(scan);
    if (stop !== undefined) return { ok: false, ...stop };
    const lists = new WeakSet<object>();
    return {
      ok: true,
      value: plainTable(root, lists),
      scan,
      lineOf: (path) => reader.tables.lineOf(path),
      isTableList: (value) => typeof value === 'object' && lists.has(value),
    };
  } catch (error) {
    return { ok: false, ...faultOf(error, text) };
  }
}

/** The library passes over the marks of UTF-16, too. */
function withoutUtf16Mark(bytes: Uint8Array): Uint8Array {
  const isMarked =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return isMarked ? bytes.subarray(2) : bytes;
}

const dates: Readonly<Record<TomlVersion, DateRules>> = {
  '1.0': { mayLackSeconds: false, hasLeapSeconds: false, largestOffset: [24, 60] },
  '1.1': { mayLackSeconds: true, hasLeapSeconds: false, largestOffset: [24, 60] },
};

class Reader {
  readonly tables: BurntSushiTables;
  readonly #scan: TomlScan;
  readonly #version: TomlVersion;

  constructor(scan: TomlScan, version: TomlVersion) {
    this.tables = new BurntSushiTables(version);
    this.#scan = scan;
    this.#version = version;
  }

  readAll(): GoMap {
    for (const statement of tomlStatements(this.#scan)) {
      this.#named(statement.start, () => {
        if ('value' in statement) this.#readKey(statement);
        else this.#readHeader(statement);
      });
    }
    return this.tables.root;
  }

  #named(at: number, read: () => void): void {
    try {
      read();
    } catch (error) {
      throw error instanceof NameTaken ? new RefusedToml(error.message, at) : error;
    }
  }

  #readHeader({ parts, kind, line }: TomlHeader): void {
    this.tables.open(this.#names(parts), kind);
    this.tables.setInfo(undefined, { isArray: false, line });
  }

  /** Sets the key and gives its value back, for the inline table that it may be in. */
  #readKey({ parts, value, line }: TomlKey, isInside = false): GoValue {
    const outer = this.tables.context;
    const names = this.#names(parts);
    const key = names.at(-1) ?? '';
    this.tables.addDotted(names.slice(0, -1));
    const read = this.#read(value, key, false);
    this.tables.set(key, read);
    const at = isInside ? line : this.#lineOfValue(value);
    this.tables.setInfo(key, { isArray: value.kind === 'array', line: at });
    this.tables.context = outer;
    return read;
  }

  /** The library takes the line when it is through with a text, which may have several. */
  #lineOfValue(value: TomlItem): number {
    if (value.kind !== 'scalar' || !value.form.startsWith('multi')) return value.line;
    return value.line + this.#written(value).split('\n').length - 1;
  }

  #names(parts: readonly TomlKeyPart[]): readonly string[] {
    return parts.map((part) => (part.form === 'bare' ? part.name : this.#text(part, part.form)));
  }

  #read(item: TomlItem, key: string, isInList: boolean): GoValue {
    if (item.kind === 'array') return this.#readList(item, key);
    if (item.kind === 'inline-table') return this.#readTable(item, key, isInList);
    return item.form === 'bare' ? this.#bare(item) : this.#text(item, item.form);
  }

  #readList({ items, line }: Extract<TomlItem, { kind: 'array' }>, key: string): GoValue {
    this.tables.setInfo(key, { isArray: true, line });
    return items.map((item) => this.#read(item, key, true));
  }

  #readTable(
    item: Extract<TomlItem, { kind: 'inline-table' }>,
    key: string,
    isInList: boolean,
  ): GoValue {
    this.#refuseNewForm(item);
    const { tables } = this;
    const outer = tables.context;
    const path = [...outer, key];
    tables.addImplicit(path);
    tables.context = path;
    tables.open(path, isInList ? 'array-of-tables' : 'table');
    const table: GoMap = new Map();
    for (const inner of item.keys) {
      tables.context = path;
      put(table, this.#names(inner.parts), this.#readKey(inner, true));
    }
    tables.context = outer;
    return table;
  }

  #refuseNewForm({ lineBreakAt, closedAfterCommaAt }: Extract<TomlItem, { kind: 'inline-table' }>) {
    if (this.#version === '1.1') return;
    if (lineBreakAt !== undefined) {
      throw new RefusedToml('newlines not allowed within inline tables', lineBreakAt);
    }
    if (closedAfterCommaAt !== undefined) {
      throw new RefusedToml('trailing comma not allowed in inline tables', closedAfterCommaAt);
    }
  }

  #text(
    item: Extract<TomlItem, { kind: 'scalar' }> | TomlKeyPart,
    form: Parameters<typeof readText>[1],
  ): string {
    const isNew = this.#version === '1.1';
    const rules = { letters: isNew ? 'btnfre"\\' : 'btnfr"\\', hasHex: isNew };
    const read = readText(this.#written(item), form, rules);
    if ('reason' in read) throw new RefusedToml(read.reason, item.start);
    return read.value;
  }

  #bare(item: TomlItem): GoValue {
    const written = this.#written(item);
    if (written === 'true' || written === 'false') return written === 'true';
    const number = readNumber(written);
    if (number === 'out of range') {
      throw new RefusedToml(`${written} is out of range`, item.start);
    }
    if (number !== undefined) return number;
    if (isDate(written, dates[this.#version])) return new Date(0);
    throw new RefusedToml(`expected value but found "${written}" instead`, item.start);
  }

  #written({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.#scan.text.slice(start, end);
  }
}

function put(table: GoMap, names: readonly string[], value: GoValue): void {
  let at = table;
  for (const name of names.slice(0, -1)) {
    const found = at.get(name) ?? new Map<string, GoValue>();
    if (!(found instanceof Map)) throw new NameTaken(`"${name}" is not a table`);
    at.set(name, found);
    at = found;
  }
  at.set(names.at(-1) ?? '', value);
}
