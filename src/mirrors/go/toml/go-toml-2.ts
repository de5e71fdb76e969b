/** Reads TOML as go-toml 2 does, the library of containerd 2.x. */

import type { TomlTable } from '../../../documents/toml.ts';
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
import { isDate } from './dates.ts';
import { refuseControls, textOfBytes, utf8Fault } from './encoding.ts';
import { GoToml2Names, NameRefused } from './go-toml-2-names.ts';
import { type GoMap, type GoValue, plainTable, TableList } from './go-values.ts';
import { faultOf, RefusedToml, stopOf, type TomlFault } from './toml-fault.ts';

/** The versions of the library that differ: 2.2, 2.3 and 2.4, which reads TOML 1.1. */
export type GoToml2Version = '2.2' | '2.3' | '2.4';

/** The tables, whole numbers as bigint, with the places of their keys; or why the file is not read. */
export type GoTomlReading =
  | { readonly ok: true; readonly value: TomlTable; readonly scan: TomlScan }
  | ({ readonly ok: false } & TomlFault);

/** How one program reads one file. */
export interface GoToml2Use {
  readonly version: GoToml2Version;
  /** Whether the program has a place for the value of a path of names: of others no date or number is judged. */
  readonly isRead: (path: readonly string[]) => boolean;
}

/**
 * Reads a file. Never throws for bad input. Up to 64 tables may be inside each other, then it is `too-deep`.
 * Source: github.com/pelletier/go-toml/v2 v2.2.4, v2.3.0 and v2.4.3; run in test/oracles/toml.
 */
export function readGoToml2(bytes: Uint8Array, use: GoToml2Use): GoTomlReading {
  const encoding = utf8Fault(bytes);
  if (encoding !== undefined) return { ok: false, ...encoding };
  const text = textOfBytes(bytes);
  const scan = scanToml(text);
  try {
    if (text.startsWith('\uFEFF')) {
      throw new RefusedToml('the file starts with a byte order mark', 0, 'encoding');
    }
    refuseControls(text);
    const value = new Reader(scan, use).readAll();
    const stop = stopOf(scan);
    return stop === undefined
      ? { ok: true, value: plainTable(value), scan }
      : { ok: false, ...stop };
  } catch (error) {
    return { ok: false, ...faultOf(error, text) };
  }
}

type InlineTable = Extract<TomlItem, { kind: 'inline-table' }>;
type Names = ReturnType<GoToml2Names['unnamed']>;

class Reader {
  readonly #scan: TomlScan;
  readonly #use: GoToml2Use;
  readonly #names: GoToml2Names;
  readonly #root: GoMap = new Map();
  #table = this.#root;
  #path: readonly string[] = [];

  constructor(scan: TomlScan, use: GoToml2Use) {
    this.#scan = scan;
    this.#use = use;
    this.#names = new GoToml2Names({ isLoose: use.version !== '2.4' });
  }

  readAll(): GoMap {
    for (const statement of tomlStatements(this.#scan)) {
      try {
        if ('value' in statement) this.#readKey(statement);
        else this.#readHeader(statement);
      } catch (error) {
        if (!(error instanceof NameRefused)) throw error;
        throw new RefusedToml(error.message, statement.start);
      }
    }
    return this.#root;
  }

  #readHeader({ parts, kind }: TomlHeader): void {
    const path = this.#namesOf(parts);
    this.#names.open(path, kind);
    const above = tableAt(this.#root, path.slice(0, -1));
    const last = path.at(-1) ?? '';
    this.#path = path;
    if (kind === 'table') {
      this.#table = tableAt(above, [last]);
      return;
    }
    const found = above.get(last);
    const list = found instanceof TableList ? found : new TableList();
    above.set(last, list);
    this.#table = new Map();
    list.tables.push(this.#table);
  }

  #readKey({ parts, value }: TomlKey): void {
    const path = this.#namesOf(parts);
    const own = this.#names.set(path);
    const read = this.#read(value, own, [...this.#path, ...path]);
    tableAt(this.#table, path.slice(0, -1)).set(path.at(-1) ?? '', read);
  }

  #namesOf(parts: readonly TomlKeyPart[]): readonly string[] {
    return parts.map((part) => (part.form === 'bare' ? part.name : this.#text(part, part.form)));
  }

  #read(item: TomlItem, own: Names, path: readonly string[]): GoValue {
    if (item.kind === 'inline-table') return this.#readTable(item, own, path);
    if (item.kind === 'array') {
      return item.items.map((inner) => this.#read(inner, this.#names.unnamed(), path));
    }
    return item.form === 'bare' ? this.#bare(item, path) : this.#text(item, item.form);
  }

  #readTable(item: InlineTable, own: Names, path: readonly string[]): GoValue {
    this.#refuseNewForm(item);
    const table: GoMap = new Map();
    for (const { parts, value } of item.keys) {
      const names = this.#namesOf(parts);
      const read = this.#read(value, this.#names.set(names, own), [...path, ...names]);
      tableAt(table, names.slice(0, -1)).set(names.at(-1) ?? '', read);
    }
    return table;
  }

  #refuseNewForm({ lineBreakAt, closedAfterCommaAt }: InlineTable): void {
    if (this.#use.version === '2.4') return;
    if (lineBreakAt !== undefined) {
      throw new RefusedToml('an inline table spreads over several lines', lineBreakAt);
    }
    if (closedAfterCommaAt !== undefined) {
      const reason = 'a comma stands behind the last item of an inline table';
      throw new RefusedToml(reason, closedAfterCommaAt);
    }
  }

  #text(
    item: { readonly start: number; readonly end: number },
    form: Parameters<typeof readText>[1],
  ): string {
    const rules = { letters: 'btnfre"\\', hasHex: this.#use.version === '2.4' };
    const read = readText(this.#written(item), form, rules);
    if ('reason' in read) throw new RefusedToml(read.reason, item.start);
    return read.value;
  }

  #bare(item: TomlItem, path: readonly string[]): GoValue {
    const written = this.#written(item);
    if (written === 'true' || written === 'false') return written === 'true';
    const { version } = this.#use;
    const number = readNumber(written);
    if (number !== undefined && number !== 'out of range') return number;
    const rules = {
      mayLackSeconds: version === '2.4',
      hasLeapSeconds: version === '2.2',
      largestOffset: [23, 59],
    } as const;
    if (isDate(written, rules)) return new Date(0);
    // The library judges dates and numbers when it puts them somewhere.
    if (!this.#use.isRead(path) && isToken(written, version)) return new Date(0);
    // Not what is written: a password without its quotes ends here.
    const reason =
      number === undefined
        ? 'the value is no number or date, and has no quotes'
        : 'the number is out of range';
    throw new RefusedToml(reason, item.start);
  }

  #written({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.#scan.text.slice(start, end);
  }
}

const date = /^(?:\d\d:|\d{4}-)[0-9TtZz:.+ -]*$/;
const looseNumber = /^(?:0x[0-9a-fA-F_]*|0o[0-7_]*|0b[01_]*|(?!0[^.eE])[0-9+_.eE-]+(?:inf|nan)?)$/;

/** What the library takes for a date or a number as long as nobody wants its value. */
function isToken(written: string, version: GoToml2Version): boolean {
  if (date.test(written)) return true;
  return version === '2.4' ? readNumber(written) !== undefined : looseNumber.test(written);
}

/** The table at the end of a path, made where it is not there; the last one of a list of tables. */
function tableAt(table: GoMap, path: readonly string[]): GoMap {
  let at = table;
  for (const name of path) {
    const found = at.get(name);
    if (found instanceof TableList) at = found.last();
    else if (found instanceof Map) at = found;
    else {
      const made: GoMap = new Map();
      at.set(name, made);
      at = made;
    }
  }
  return at;
}
