/**
 * What a parsed TOML value no longer shows: which headers a text has, in which order and line, and
 * in which line each key stands. Some readers of TOML give that a meaning.
 *
 * The scan never fails: of a text that is not TOML it returns what it could make out until then.
 */

/** A header line: `[host."https://m"]` → path `['host', 'https://m']`. */
export interface TomlHeader {
  readonly kind: 'table' | 'array-of-tables';
  readonly path: readonly string[];
  /** The header without its brackets, as written: `host."https://m"`. */
  readonly raw: string;
  readonly line: number;
  readonly column: number;
}

/** A `key = value` line below a header (or above all of them). */
export interface TomlKey {
  /** The whole path, with that of the header above: `['host', 'https://m', 'ca']`. */
  readonly path: readonly string[];
  /** How many of the path's parts come from the header above. */
  readonly headerLength: number;
  /** True when the value is an inline table `{ ... }`. */
  readonly isInlineTable: boolean;
  /** True when an inline table in the value spreads over several lines, which only TOML 1.1 allows. */
  readonly hasLineBreakInTable: boolean;
  readonly line: number;
  readonly column: number;
}

/** Headers and keys in file order. */
export interface TomlScan {
  readonly headers: readonly TomlHeader[];
  readonly keys: readonly TomlKey[];
}

/** `[a]\nb.c = 1` → one header in line 1, one key `['a', 'b', 'c']` in line 2. */
export function scanToml(text: string): TomlScan {
  const scanner = new Scanner(text.replace(/^\uFEFF/, ''));
  while (scanner.next());
  return { headers: scanner.headers, keys: scanner.keys };
}

/**
 * The line of a path: of its key, else of its header, else of the nearest part above it that has
 * one (so a key inside an inline table gets the line of that table). Undefined if there is none.
 */
export function tomlLine(scan: TomlScan, path: readonly string[]): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const wanted = path.slice(0, length);
    const isWanted = (item: TomlKey | TomlHeader) => startsWith(item.path, wanted);
    const exact = (item: TomlKey | TomlHeader) => item.path.length === length && isWanted(item);
    const found =
      scan.keys.find(exact) ??
      scan.headers.find(exact) ??
      scan.headers.find(isWanted) ??
      scan.keys.find(isWanted);
    if (found !== undefined) return found.line;
  }
  return undefined;
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((part, index) => path[index] === part);
}

const bareKey = /[A-Za-z0-9_-]+/y;
const blank = /[ \t]*/y;
const blankLines = /(?:[ \t\r\n]|#[^\n]*)*/y;
const restOfLine = /[^\n]*/y;
const comment = /#[^\n]*/y;
// Text without meaning for the nesting, or one character.
const valueToken = /[^\n[\]{}"'#]+|[\s\S]/y;
// Multi-line strings first: their quotes would otherwise read as an empty string.
const stringLiteral =
  /"""(?:\\[\s\S]|[^\\])*?"{3,5}(?!")|'''[\s\S]*?'{3,5}(?!')|"(?:\\[^\n]|[^"\\\n])*"|'[^'\n]*'/y;

const nesting: Readonly<Record<string, { readonly all: number; readonly tables: number }>> = {
  '[': { all: 1, tables: 0 },
  ']': { all: -1, tables: 0 },
  '{': { all: 1, tables: 1 },
  '}': { all: -1, tables: -1 },
};

class Scanner {
  readonly headers: TomlHeader[] = [];
  readonly keys: TomlKey[] = [];
  readonly #text: string;
  readonly #lineStarts: number[] = [0];
  #at = 0;
  /** The line of the last place that was asked for; places come in order. */
  #line = 0;
  #header: readonly string[] = [];

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  /** Reads one header or key; false at the end, or where the text is not TOML. */
  next(): boolean {
    this.#take(blankLines);
    if (this.#at >= this.#text.length) return false;
    return this.#text[this.#at] === '[' ? this.#readHeader() : this.#readKey();
  }

  #readHeader(): boolean {
    const place = this.#place();
    const kind = this.#text.startsWith('[[', this.#at) ? 'array-of-tables' : 'table';
    this.#at += kind === 'table' ? 1 : 2;
    const from = this.#at;
    const path = this.#readPath();
    if (path === undefined || this.#text[this.#at] !== ']') return false;
    this.headers.push({ kind, path, raw: this.#text.slice(from, this.#at).trim(), ...place });
    this.#header = path;
    this.#take(restOfLine);
    return true;
  }

  #readKey(): boolean {
    const place = this.#place();
    const path = this.#readPath();
    if (path === undefined || this.#text[this.#at] !== '=') return false;
    this.#at += 1;
    this.#take(blank);
    const isInlineTable = this.#text[this.#at] === '{';
    const hasLineBreakInTable = this.#skipValue();
    this.keys.push({
      path: [...this.#header, ...path],
      headerLength: this.#header.length,
      isInlineTable,
      hasLineBreakInTable,
      ...place,
    });
    return true;
  }

  /** Reads `a."b c".d` and the blanks around it. */
  #readPath(): string[] | undefined {
    const path: string[] = [];
    for (;;) {
      this.#take(blank);
      const part = this.#readPathPart();
      if (part === undefined) return undefined;
      path.push(part);
      this.#take(blank);
      if (this.#text[this.#at] !== '.') return path;
      this.#at += 1;
    }
  }

  #readPathPart(): string | undefined {
    const quoted = this.#take(stringLiteral);
    if (quoted !== '') return unquote(quoted);
    const bare = this.#take(bareKey);
    return bare === '' ? undefined : bare;
  }

  /** Moves behind a value; true when a line break stands inside an inline table. */
  #skipValue(): boolean {
    const depth = { all: 0, tables: 0 };
    let lineBreakInTable = false;
    for (;;) {
      const token = this.#take(stringLiteral) || this.#take(comment) || this.#take(valueToken);
      if (token === '' || (token === '\n' && depth.all === 0)) return lineBreakInTable;
      if (token === '\n') lineBreakInTable ||= depth.tables > 0;
      const step = nesting[token] ?? { all: 0, tables: 0 };
      depth.all += step.all;
      depth.tables += step.tables;
    }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #place(): { line: number; column: number } {
    const starts = this.#lineStarts;
    while ((starts[this.#line + 1] ?? Number.POSITIVE_INFINITY) <= this.#at) this.#line += 1;
    return { line: this.#line + 1, column: this.#at - (starts[this.#line] ?? 0) + 1 };
  }
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001B',
};

function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner;
  return inner.replaceAll(/\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|.)/g, unescapeOne);
}

function unescapeOne(_: string, code: string): string {
  if (code.length === 1) return escapes[code] ?? code;
  const point = Number.parseInt(code.slice(1), 16);
  return point > 0x10ffff ? '\uFFFD' : String.fromCodePoint(point);
}
