/** Moves through a TOML text token by token, and knows the line and column of each place. */

import type { TomlForm, TomlKeyPart, TomlSpan } from './toml-scan.ts';

/** Where a text stops being TOML; caught by scanToml, so nobody else sees it. */
export class NotToml extends Error {
  readonly offset: number;
  /** True where the text may be TOML, but nobody looks so deep. */
  readonly isTooDeep: boolean;

  constructor(reason: string, offset: number, isTooDeep = false) {
    super(reason);
    this.offset = offset;
    this.isTooDeep = isTooDeep;
  }
}

/** Deeper than any file that people write; it bounds the work on hostile ones. */
export const MAX_DEPTH = 64;

const blank = /[ \t]*/y;
const lineBreak = /\r?\n/y;
const comment = /#[^\n]*/y;
const bareKey = /[A-Za-z0-9_-]+/y;
// A date may be parted from its time by one blank.
const bareValue = /\d{4}-\d\d-\d\d \d[^\s,\]}#"'=[{]*|[^\s,\]}#"'=[{]+/y;

/**
 * The read position in a text. `span` asks for places in rising order only, which keeps a whole scan
 * linear. A byte order mark is skipped; offsets count it, columns do not.
 */
export class TomlCursor {
  readonly text: string;
  readonly comments: TomlSpan[] = [];
  at: number;
  #line = 1;
  #lineStart: number;
  /** The first line break that is not counted yet; the length of the text if there is none. */
  #nextBreak: number;

  constructor(text: string) {
    this.text = text;
    this.at = text.startsWith('\uFEFF') ? 1 : 0;
    this.#lineStart = this.at;
    this.#nextBreak = this.#breakFrom(this.at);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  sees(token: string): boolean {
    return this.text.startsWith(token, this.at);
  }

  /** Moves behind the token if it is next. */
  skip(token: string): boolean {
    if (!this.sees(token)) return false;
    this.at += token.length;
    return true;
  }

  skipBlanks(): void {
    this.#take(blank);
  }

  /** Moves behind blanks, comments and line breaks; true when a line break was among them. */
  skipLines(): boolean {
    let isBroken = false;
    for (;;) {
      this.skipBlanks();
      if (this.sees('#')) this.#readComment();
      else if (this.#take(lineBreak)) isBroken = true;
      else return isBroken;
    }
  }

  /** Moves behind the blanks and the comment at the end of a line; false when other text follows. */
  skipRestOfLine(): boolean {
    this.skipBlanks();
    if (this.sees('#')) this.#readComment();
    return this.isAtEnd || this.#take(lineBreak);
  }

  /** The span from here; `close` gives it its end once that is reached. */
  open(): Omit<TomlSpan, 'end'> {
    const start = this.at;
    while (this.#nextBreak < start) {
      this.#line += 1;
      this.#lineStart = this.#nextBreak + 1;
      this.#nextBreak = this.#breakFrom(this.#lineStart);
    }
    return { start, line: this.#line, column: start - this.#lineStart + 1 };
  }

  /** Reads `a."b c".d` and the blanks around it. */
  readKeyParts(): readonly TomlKeyPart[] {
    const parts: TomlKeyPart[] = [];
    do {
      this.skipBlanks();
      if (parts.length === MAX_DEPTH) throw tooDeep(this.at);
      parts.push(this.#readKeyPart());
      this.skipBlanks();
    } while (this.skip('.'));
    return parts;
  }

  /** Moves behind one text, number, boolean or date, and says how it is written. */
  readScalar(): TomlForm {
    if (this.sees('"""') || this.sees("'''")) return this.#readLongString();
    if (this.sees('"') || this.sees("'")) return this.#readString();
    if (!this.#take(bareValue)) throw new NotToml('a value is missing', this.at);
    return 'bare';
  }

  #breakFrom(at: number): number {
    const found = this.text.indexOf('\n', at);
    return found === -1 ? this.text.length : found;
  }

  #readKeyPart(): TomlKeyPart {
    const opened = this.open();
    const form = this.#readKeyForm();
    const end = this.at;
    const written = this.text.slice(opened.start, end);
    return { ...opened, end, form, name: form === 'bare' ? written : unquote(written) };
  }

  #readKeyForm(): TomlKeyPart['form'] {
    if (this.#take(bareKey)) return 'bare';
    const isLong = this.sees('"""') || this.sees("'''");
    const isQuoted = this.sees('"') || this.sees("'");
    if (!isQuoted || isLong) throw new NotToml('a key is missing', this.at);
    return this.#readString();
  }

  #readComment(): void {
    const opened = this.open();
    this.#take(comment);
    const end = this.text[this.at - 1] === '\r' && this.sees('\n') ? this.at - 1 : this.at;
    this.at = end;
    this.comments.push({ ...opened, end });
  }

  #readString(): 'basic' | 'literal' {
    const from = this.at;
    const quote = this.text[from];
    for (this.at += 1; this.text[this.at] !== quote; this.at += 1) {
      if (quote === '"' && this.sees('\\')) this.at += 1;
      if (this.isAtEnd || this.sees('\n')) throw new NotToml('a quote is not closed', from);
    }
    this.at += 1;
    return quote === '"' ? 'basic' : 'literal';
  }

  #readLongString(): TomlForm {
    const from = this.at;
    const quote = this.text[from];
    const isBasic = quote === '"';
    this.at += 3;
    for (let quotes = 0; quotes < 3; ) {
      if (this.isAtEnd) throw new NotToml('three quotes are not closed', from);
      quotes = this.text[this.at] === quote ? quotes + 1 : 0;
      this.at += isBasic && this.sees('\\') ? 2 : 1;
    }
    // Up to two quotes of the text itself may stand before the three that close it.
    for (let more = 0; more < 2 && this.text[this.at] === quote; more += 1) this.at += 1;
    return isBasic ? 'multi-line basic' : 'multi-line literal';
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.text)?.[0].length ?? 0;
    this.at += length;
    return length > 0;
  }
}

/** The line and column of an offset: `placeAt('a\nb', 2)` → line 2, column 1. */
export function placeAt(text: string, offset: number): Omit<TomlSpan, 'end'> {
  const cursor = new TomlCursor(text);
  cursor.at = offset;
  return cursor.open();
}

/** The complaint about tables and lists inside each other. */
export function tooDeep(offset: number): NotToml {
  return new NotToml(`tables and lists are nested more than ${MAX_DEPTH} deep`, offset, true);
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
