/**
 * JSON with the place of every value, read by the grammar and with the error texts of Go's encoding/json
 * (scanner.go). A node is also a `JsonNode` of oci/go-json, whose types can so be read over it.
 */

/** From where to where something stands, in UTF-16 units; the end is not part of it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One value with its place; `keys` are the places of an object's keys, in the order of its fields. */
export type PlacedJson = Span &
  (
    | {
        readonly kind: 'object';
        readonly fields: [name: string, value: PlacedJson][];
        readonly keys: readonly Span[];
      }
    | { readonly kind: 'array'; readonly items: PlacedJson[] }
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'number'; readonly text: string }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'null' }
  );

/** A field of an object, with the place of its key. */
export interface PlacedEntry {
  readonly key: string;
  readonly span: Span;
  readonly value: PlacedJson;
}

/** The fields of an object in their order, with those that are written twice. */
export function placedEntries(node: Extract<PlacedJson, { kind: 'object' }>): PlacedEntry[] {
  return node.fields.map(([key, value], index) => ({
    key,
    value,
    span: node.keys[index] ?? { start: node.start, end: node.start },
  }));
}

/** A value, or where and why the text is none. */
export type PlacedJsonResult =
  | { readonly ok: true; readonly value: PlacedJson }
  | { readonly ok: false; readonly reason: string; readonly at: number };

/** No configuration is nested deeper; Go itself gives up at 10 000. */
const MOST_DEPTH = 500;

/** `{"a":1,}` → `invalid character '}' looking for beginning of object key string`, at 7. */
export function parsePlacedJson(text: string): PlacedJsonResult {
  try {
    return { ok: true, value: new Reader(text).whole() };
  } catch (error) {
    if (!(error instanceof BadJson)) throw error;
    return { ok: false, reason: error.message, at: error.at };
  }
}

class BadJson extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

class Reader {
  readonly #numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): PlacedJson {
    const value = this.#value();
    if (this.#peek() !== '') this.#fail('after top-level value');
    return value;
  }

  #value(): PlacedJson {
    const first = this.#peek();
    const start = this.#at;
    if (first === '{' || first === '[') return this.#nested(first);
    if (first === '"') return { kind: 'string', text: this.#string(), ...this.#from(start) };
    if (/[-\d]/.test(first)) return { kind: 'number', text: this.#number(), ...this.#from(start) };
    if (first === 't') return { kind: 'boolean', value: this.#word('true'), ...this.#from(start) };
    if (first === 'f')
      return { kind: 'boolean', value: !this.#word('false'), ...this.#from(start) };
    if (first === 'n' && this.#word('null')) return { kind: 'null', ...this.#from(start) };
    return this.#fail('looking for beginning of value');
  }

  #nested(open: string): PlacedJson {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) throw new BadJson('exceeded max depth', this.#at);
    const value = open === '{' ? this.#object() : this.#array();
    this.#depth -= 1;
    return value;
  }

  #object(): PlacedJson {
    const start = this.#at;
    const fields: [string, PlacedJson][] = [];
    const keys: Span[] = [];
    this.#at += 1;
    if (this.#peek() === '}') this.#at += 1;
    else {
      do {
        if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
        const keyStart = this.#at;
        const name = this.#string();
        keys.push(this.#from(keyStart));
        if (this.#peek() !== ':') this.#fail('after object key');
        this.#at += 1;
        fields.push([name, this.#value()]);
      } while (this.#goesOn('}', 'after object key:value pair'));
    }
    return { kind: 'object', fields, keys, ...this.#from(start) };
  }

  #array(): PlacedJson {
    const start = this.#at;
    const items: PlacedJson[] = [];
    this.#at += 1;
    if (this.#peek() === ']') this.#at += 1;
    else
      do items.push(this.#value());
      while (this.#goesOn(']', 'after array element'));
    return { kind: 'array', items, ...this.#from(start) };
  }

  #goesOn(end: string, context: string): boolean {
    const next = this.#peek();
    if (next !== ',' && next !== end) this.#fail(context);
    this.#at += 1;
    return next === ',';
  }

  #string(): string {
    const start = this.#at;
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at += 1) {
      const letter = this.#text[this.#at];
      if (letter === undefined || letter < ' ') this.#fail('in string literal');
      if (letter === '\\') this.#escape();
    }
    this.#at += 1;
    // Go has no lone surrogates.
    return String(JSON.parse(this.#text.slice(start, this.#at))).toWellFormed();
  }

  #escape(): void {
    this.#at += 1;
    const letter = this.#text[this.#at];
    if (letter === undefined || !'bfnrt\\/"u'.includes(letter)) this.#fail('in string escape code');
    for (let digits = 0; letter === 'u' && digits < 4; digits += 1) {
      this.#at += 1;
      if (!/[\dA-Fa-f]/.test(this.#text[this.#at] ?? '')) {
        this.#fail('in \\u hexadecimal character escape');
      }
    }
  }

  #number(): string {
    this.#numberForm.lastIndex = this.#at;
    const [found] = this.#numberForm.exec(this.#text) ?? [];
    if (found === undefined) {
      this.#at += 1;
      return this.#fail('in numeric literal');
    }
    this.#at += found.length;
    const next = this.#text[this.#at] ?? '';
    if (next === '.' && !/[.eE]/.test(found))
      this.#failAfter(1, 'after decimal point in numeric literal');
    if (/[eE]/.test(next) && !/[eE]/.test(found)) {
      const hasSign = /[+-]/.test(this.#text[this.#at + 1] ?? '');
      this.#failAfter(hasSign ? 2 : 1, 'in exponent of numeric literal');
    }
    return found;
  }

  #word(word: string): true {
    for (const letter of word) {
      const context = `in literal ${word} (expecting '${letter}')`;
      if (this.#text[this.#at] !== letter) this.#fail(context);
      this.#at += 1;
    }
    return true;
  }

  /** The next letter that is no blank; empty at the end. */
  #peek(): string {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text[this.#at] ?? '';
  }

  #from(start: number): Span {
    return { start, end: this.#at };
  }

  #failAfter(more: number, context: string): never {
    this.#at += more;
    return this.#fail(context);
  }

  #fail(context: string): never {
    const letter = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#text.length) throw new BadJson('unexpected end of JSON input', this.#at);
    throw new BadJson(`invalid character ${quoted(letter)} ${context}`, this.#at);
  }
}

/** Source: encoding/json, quoteChar. */
function quoted(letter: string): string {
  if (letter === "'") return String.raw`'\''`;
  if (letter === '"') return `'"'`;
  return `'${JSON.stringify(letter).slice(1, -1)}'`;
}
