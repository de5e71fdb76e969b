/**
 * Where everything in a TOML text stands, and what its parsed value no longer shows: headers, dotted
 * keys, inline tables, repeated names, comments. Some readers of TOML give those a meaning.
 *
 * The scan never fails: of a text that is not TOML it returns what stands before the error. It does
 * not judge values; smol-toml (toml.ts) does. Specification: https://toml.io/en/v1.1.0
 */

import { NotToml, placeAt, TomlCursor } from './toml-cursor.ts';
import { TomlNode } from './toml-tree.ts';

/**
 * A piece of the text: from `start` to before `end`, in UTF-16 units from 0, a byte order mark
 * counted. `line` and `column` are those of its start, from 1; columns do not count the mark.
 */
export interface TomlSpan {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

/** A name, or the number of an item in a list: the path `['registry', 1, 'location']`. */
export type TomlStep = string | number;

/** How a value without parts is written; `bare` is a number, a boolean or a date. */
export type TomlForm = 'bare' | 'basic' | 'literal' | 'multi-line basic' | 'multi-line literal';

/** One name of a dotted key, its quotes in the span: `"b c"` → name `b c`. */
export interface TomlKeyPart extends TomlSpan {
  readonly name: string;
  readonly form: 'bare' | 'basic' | 'literal';
}

interface Named extends TomlSpan {
  /** Every name on the way, that of the header above included: `['host', 'https://m', 'ca']`. */
  readonly path: readonly string[];
  /** The same with the numbers of items: `[[registry]]` a second time → `['registry', 1]`. */
  readonly steps: readonly TomlStep[];
  readonly parts: readonly TomlKeyPart[];
  /** The first place that has exactly this path, where TOML allows only one. */
  readonly repeats?: TomlSpan;
}

/** A header line; the span has its brackets. */
export interface TomlHeader extends Named {
  readonly kind: 'table' | 'array-of-tables';
  /** The header without its brackets, as written: `host."https://m"`. */
  readonly raw: string;
}

/** A `key = value`, as a line or inside an inline table; the span is that of the key, dots included. */
export interface TomlKey extends Named {
  /** How many of the path's parts come from outside: the header, or the key of the inline table. */
  readonly headerLength: number;
  readonly value: TomlItem;
  /** True when the value is an inline table `{ ... }`. */
  readonly isInlineTable: boolean;
  /** True when an inline table in the value spreads over several lines, which only TOML 1.1 allows. */
  readonly hasLineBreakInTable: boolean;
}

/** A value as written. */
export type TomlItem =
  | (TomlSpan & { readonly kind: 'scalar'; readonly form: TomlForm })
  | (TomlSpan & { readonly kind: 'array'; readonly items: readonly TomlItem[] })
  | (TomlSpan & {
      readonly kind: 'inline-table';
      readonly keys: readonly TomlKey[];
      /** The offset of the first line break among its own parts, which only TOML 1.1 allows. */
      readonly lineBreakAt?: number;
      /** The offset of `}` when a comma stands before it, which only TOML 1.1 allows. */
      readonly closedAfterCommaAt?: number;
    });

/** Headers and `key = value` lines in file order; keys inside inline tables hang below their value. */
export interface TomlScan {
  readonly text: string;
  readonly headers: readonly TomlHeader[];
  readonly keys: readonly TomlKey[];
  readonly comments: readonly TomlSpan[];
  /** Where the text stops being TOML, and why; what stands behind it was not looked at. */
  readonly stop?: { readonly reason: string; readonly isTooDeep: boolean } & Omit<TomlSpan, 'end'>;
  /** The same headers and keys by path, for the look-ups of toml-places.ts. */
  readonly root: TomlNode;
}

/** `[a]\nb.c = 1` → one header in line 1, one key `['a', 'b', 'c']` in line 2. Time grows with length. */
export function scanToml(text: string): TomlScan {
  const scanner = new Scanner(text);
  const stop = scanner.readAll();
  const { headers, keys, cursor, root } = scanner;
  const scan = { text, headers, keys, comments: cursor.comments, root };
  return stop === undefined ? scan : { ...scan, stop };
}

class Scanner {
  readonly cursor: TomlCursor;
  readonly headers: TomlHeader[] = [];
  readonly keys: TomlKey[] = [];
  readonly root = new TomlNode();
  #table = this.root;

  constructor(text: string) {
    this.cursor = new TomlCursor(text);
  }

  readAll(): TomlScan['stop'] {
    try {
      for (this.cursor.skipLines(); !this.cursor.isAtEnd; this.cursor.skipLines()) {
        this.#readStatement();
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof NotToml)) throw error;
      const { message: reason, isTooDeep } = error;
      return { reason, isTooDeep, ...placeAt(this.cursor.text, error.offset) };
    }
  }

  #readStatement(): void {
    if (this.cursor.sees('[')) this.#readHeader();
    else this.keys.push(this.#readKey(this.#table));
    if (!this.cursor.skipRestOfLine()) {
      throw new NotToml('text follows where the line should end', this.cursor.at);
    }
  }

  #readHeader(): void {
    const { cursor } = this;
    const opened = cursor.open();
    const kind = cursor.sees('[[') ? 'array-of-tables' : 'table';
    const brackets = kind === 'table' ? 1 : 2;
    cursor.at += brackets;
    const parts = cursor.readKeyParts();
    if (!cursor.skip(']'.repeat(brackets))) {
      throw new NotToml('the header is not closed', cursor.at);
    }
    const end = cursor.at;
    const raw = cursor.text.slice(opened.start + brackets, end - brackets).trim();
    const node = this.#openTable(parts, kind, opened.start);
    const header: TomlHeader = { ...opened, end, kind, raw, parts, ...namesOf(node) };
    node.headers.push(header);
    this.headers.push(header);
    this.#table = node;
  }

  #openTable(parts: readonly TomlKeyPart[], kind: TomlHeader['kind'], at: number): TomlNode {
    let node = this.root;
    for (const { name } of parts) node = node.lastItem().child(name, at);
    return kind === 'table' ? node : node.nextItem(at);
  }

  #readKey(table: TomlNode): TomlKey {
    const { cursor } = this;
    const opened = cursor.open();
    const parts = cursor.readKeyParts();
    if (!cursor.skip('=')) throw new NotToml('there is no = behind the key', cursor.at);
    cursor.skipBlanks();
    const node = parts.reduce((at, { name }) => at.child(name, opened.start), table);
    const value = this.#readItem(() => node);
    const key = {
      ...opened,
      end: parts.at(-1)?.end ?? opened.start,
      parts,
      ...namesOf(node),
      headerLength: table.path.length,
      value,
      isInlineTable: value.kind === 'inline-table',
      hasLineBreakInTable: hasLineBreak(value),
    };
    node.keys.push(key);
    return key;
  }

  /** Only tables and lists ask for their node: the texts of a long list need none. */
  #readItem(nodeOf: () => TomlNode): TomlItem {
    if (this.cursor.sees('[')) return this.#readArray(nodeOf());
    if (this.cursor.sees('{')) return this.#readInlineTable(nodeOf());
    const opened = this.cursor.open();
    const form = this.cursor.readScalar();
    return { kind: 'scalar', form, ...opened, end: this.cursor.at };
  }

  #readArray(node: TomlNode): TomlItem {
    const { cursor } = this;
    const opened = cursor.open();
    const items: TomlItem[] = [];
    cursor.at += 1;
    for (let isOpen = true; isOpen; ) {
      cursor.skipLines();
      if (cursor.sees(']')) break;
      const at = cursor.at;
      items.push(this.#readItem(() => node.child(items.length, at)));
      cursor.skipLines();
      isOpen = cursor.skip(',');
    }
    if (!cursor.skip(']')) throw new NotToml('a list is not closed', cursor.at);
    return { kind: 'array', items, ...opened, end: cursor.at };
  }

  #readInlineTable(node: TomlNode): TomlItem {
    const { cursor } = this;
    const opened = cursor.open();
    const keys: TomlKey[] = [];
    const oddities: { lineBreakAt?: number; closedAfterCommaAt?: number } = {};
    const skipLines = () => {
      const at = cursor.at;
      if (cursor.skipLines()) oddities.lineBreakAt ??= cursor.text.indexOf('\n', at);
    };
    cursor.at += 1;
    for (let isOpen = true; isOpen; ) {
      skipLines();
      if (cursor.sees('}')) {
        if (keys.length > 0) oddities.closedAfterCommaAt = cursor.at;
        break;
      }
      keys.push(this.#readKey(node));
      skipLines();
      isOpen = cursor.skip(',');
    }
    if (!cursor.skip('}')) throw new NotToml('an inline table is not closed', cursor.at);
    return { kind: 'inline-table', keys, ...oddities, ...opened, end: cursor.at };
  }
}

function namesOf(node: TomlNode): Pick<TomlKey, 'path' | 'steps' | 'repeats'> {
  const repeats = node.keys[0] ?? node.headers[0];
  return { path: node.path, steps: node.steps, ...(repeats === undefined ? {} : { repeats }) };
}

function hasLineBreak(value: TomlItem): boolean {
  if (value.kind === 'array') return value.items.some(hasLineBreak);
  if (value.kind === 'scalar') return false;
  return value.lineBreakAt !== undefined || value.keys.some((key) => key.hasLineBreakInTable);
}
