/** The tables of a TOML text as go-toml 1 fills them, and which of them may be named again. */

import { MAX_DEPTH } from '../../../documents/toml-cursor.ts';
import { type GoMap, type GoValue, TableList } from './go-values.ts';
import { RefusedToml } from './toml-fault.ts';

/** Headers as they are written, parted at each dot, also at those in quotes: the library compares texts. */
interface Seen {
  isSeen: boolean;
  parts: Map<string, Seen>;
}

/**
 * Headers may come twice in another spelling, and dotted keys may reach into every table but an inline one.
 * Source: github.com/pelletier/go-toml v1.9.5, parser.go and toml.go.
 */
export class GoToml1Tables {
  readonly root: GoMap = new Map();
  /** Inline tables, and what headers put below them. */
  readonly #inline = new Set<GoMap>();
  readonly #seen: Seen = { isSeen: false, parts: new Map() };
  #path: readonly string[] = [];

  /** Source: parseGroup. */
  openTable(written: string, path: readonly string[], at: number): void {
    const seen = this.#seenAt(written);
    if (seen.isSeen) throw new RefusedToml('duplicated tables', at);
    seen.isSeen = true;
    refuseDeep(path, at);
    this.#makeTables(path, at);
    const found = valueAt(this.root, path);
    if (found instanceof Map && this.#inline.has(found)) {
      throw new RefusedToml(`could not re-define inline table ${path.join('.')}`, at);
    }
    this.#path = path;
  }

  /** Source: parseGroupArray. */
  addToList(written: string, path: readonly string[], at: number): void {
    refuseDeep(path, at);
    try {
      this.#makeTables(path.slice(0, -1), at);
    } catch (error) {
      // The library does not look whether it could.
      if (!(error instanceof RefusedToml)) throw error;
    }
    const list = valueAt(this.root, path) ?? new TableList();
    if (!(list instanceof TableList)) {
      throw new RefusedToml(`${path.join('.')} is no list of tables`, at);
    }
    list.tables.push(new Map());
    setAt(this.root, path, list);
    const seen = this.#seenAt(written);
    seen.isSeen = true;
    seen.parts.clear();
    this.#path = path;
  }

  /** Source: parseAssign. */
  set(key: readonly string[], value: GoValue, at: number): void {
    const path = [...this.#path, ...key.slice(0, -1)];
    refuseDeep(path, at);
    const table = this.#tableFor(path, at);
    if (this.#inline.has(table)) {
      throw new RefusedToml(`could not add a key to inline table ${path.join('.')}`, at);
    }
    const last = key.at(-1) ?? '';
    if (table.has(last)) throw new RefusedToml(`${last} was defined twice`, at);
    table.set(last, value);
  }

  /** Marks a table as inline. */
  close(table: GoMap): GoMap {
    this.#inline.add(table);
    return table;
  }

  #tableFor(path: readonly string[], at: number): GoMap {
    const found = valueAt(this.root, path);
    if (found instanceof TableList) return found.last();
    if (found instanceof Map) return found;
    if (found === undefined) this.#makeTables(path, at);
    const made = valueAt(this.root, path);
    if (made instanceof Map) return made;
    throw new RefusedToml(`${path.join('.')} is no table`, at);
  }

  /** Source: createSubTree. */
  #makeTables(path: readonly string[], at: number): void {
    let table = this.root;
    for (const name of path) {
      const found = table.get(name);
      if (found instanceof TableList) table = found.last();
      else if (found instanceof Map) table = found;
      else if (found !== undefined) throw new RefusedToml(`${name} is no table`, at);
      else {
        const made: GoMap = new Map();
        if (this.#inline.has(table)) this.#inline.add(made);
        table.set(name, made);
        table = made;
      }
    }
  }

  #seenAt(written: string): Seen {
    let at = this.#seen;
    for (const part of written.split('.')) {
      const found = at.parts.get(part) ?? { isSeen: false, parts: new Map<string, Seen>() };
      at.parts.set(part, found);
      at = found;
    }
    return at;
  }
}

/**
 * Sets a value at a path. A name on the way that is no table is passed over, so that the rest of the path
 * counts from where it stands. Source: SetPathWithOptions.
 */
export function setAt(root: GoMap, path: readonly string[], value: GoValue): void {
  let table = root;
  for (const name of path.slice(0, -1)) {
    const found = table.get(name);
    if (found instanceof TableList) table = found.last();
    else if (found instanceof Map) table = found;
    else if (found === undefined) {
      const made: GoMap = new Map();
      table.set(name, made);
      table = made;
    }
  }
  table.set(path.at(-1) ?? '', value);
}

/** Source: GetPath. */
function valueAt(root: GoMap, path: readonly string[]): GoValue | undefined {
  let at: GoValue | undefined = root;
  for (const name of path) {
    const table: GoValue | undefined = at instanceof TableList ? at.last() : at;
    if (!(table instanceof Map)) return undefined;
    at = table.get(name);
  }
  return at;
}

function refuseDeep(path: readonly string[], at: number): void {
  if (path.length <= MAX_DEPTH) return;
  throw new RefusedToml(`tables are nested more than ${MAX_DEPTH} deep`, at, 'too-deep');
}
