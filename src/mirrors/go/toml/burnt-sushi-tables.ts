/** Which tables and keys a TOML text may name again, as BurntSushi/toml keeps account of it. */

import { type GoMap, type GoValue, TableList } from './go-values.ts';

/** Which TOML is read: 1.1 from BurntSushi/toml 1.6.0 on, 1.0 before. */
export type TomlVersion = '1.0' | '1.1';

/** A name that may not stand there; the text around it knows the place. */
export class NameTaken extends Error {}

interface KeyInfo {
  readonly isArray: boolean;
  readonly line: number;
}

/**
 * The tables of a text, as the library's parser fills them. It lets some names come twice that TOML
 * does not: a table that dotted keys made may get a header, and before 1.6.0 a list may be set again.
 * Source: github.com/BurntSushi/toml v1.5.0 and v1.6.0, parse.go.
 */
export class BurntSushiTables {
  readonly root: GoMap = new Map();
  /** The table in which keys are set: that of the last header, or of an inline table. */
  context: readonly string[] = [];
  readonly #version: TomlVersion;
  /** Tables that no header named yet. */
  readonly #implicits = new Set<string>();
  readonly #infos = new Map<string, KeyInfo>();

  constructor(version: TomlVersion) {
    this.#version = version;
  }

  /** The line that the library keeps for a path of names: the last one that has it. */
  lineOf(path: readonly string[]): number | undefined {
    return this.#infos.get(idOf(path))?.line;
  }

  /** Source: parser.setType. Without a key it is the table itself. */
  setInfo(key: string | undefined, info: KeyInfo): void {
    const path = key === undefined || key === '' ? this.context : [...this.context, key];
    this.#infos.set(idOf(path.length === 0 ? [''] : path), info);
  }

  /** Source: parser.addImplicit. */
  addImplicit(path: readonly string[]): void {
    this.#implicits.add(idOf(path));
  }

  /** The tables of `b` and `c` in `b.c.d = 1`, below the context. */
  addDotted(names: readonly string[]): void {
    for (const name of names) {
      const path = [...this.context, name];
      this.addImplicit(path);
      this.open(path, 'table');
    }
  }

  /** Makes a table the context. Source: parser.addContext. */
  open(path: readonly string[], kind: 'table' | 'array-of-tables'): void {
    const last = path.at(-1) ?? '';
    let table = this.root;
    const above: string[] = [];
    for (const name of path.slice(0, -1)) {
      above.push(name);
      if (!table.has(name)) {
        this.addImplicit(above);
        table.set(name, new Map());
      }
      table = tableIn(table.get(name)) ?? taken(above);
    }
    this.context = path.slice(0, -1);
    if (kind === 'table') this.set(last, new Map());
    else addTable(table, last, path);
    this.context = path;
  }

  /** Sets a key of the context. Source: parser.setValue. */
  set(key: string, value: GoValue): void {
    let table = this.root;
    for (const name of this.context) table = tableIn(table.get(name)) ?? taken(this.context);
    const path = [...this.context, key];
    const id = idOf(path);
    if (!table.has(key)) {
      table.set(key, value);
      return;
    }
    const isImplicit = this.#implicits.delete(id);
    const isArray = this.#infos.get(id)?.isArray === true;
    if (isArray && (isImplicit || this.#version === '1.0')) table.set(key, value);
    else if (!isImplicit) taken(path);
  }
}

function addTable(table: GoMap, key: string, path: readonly string[]): void {
  const list = table.get(key) ?? new TableList();
  if (!(list instanceof TableList)) taken(path);
  list.tables.push(new Map());
  table.set(key, list);
}

function tableIn(value: GoValue | undefined): GoMap | undefined {
  if (value instanceof TableList) return value.last();
  return value instanceof Map ? value : undefined;
}

function taken(path: readonly string[]): never {
  throw new NameTaken(`Key '${path.join('.')}' has already been defined.`);
}

/** Names hold no half of a surrogate pair, as the text is UTF-8. */
function idOf(path: readonly string[]): string {
  return path.join('\uDFFF');
}
