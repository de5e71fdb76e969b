/** The tokens of a TOML text as go-toml 1 finds them. */

import { type ReadText, readBasic, readLiteral } from './go-toml-1-texts.ts';
import { RefusedToml } from './toml-fault.ts';

/** A word or sign; `value` is that of a text, else as it is written. */
export interface Token {
  readonly kind:
    | 'key'
    | 'header'
    | 'list header'
    | 'text'
    | 'integer'
    | 'float'
    | 'bool'
    | 'date'
    | 'time'
    | 'offset'
    | '['
    | ']'
    | '[['
    | ']]'
    | '{'
    | '}'
    | '='
    | ','
    | 'end';
  readonly value: string;
  readonly at: number;
}

/** Where the next token is looked for: behind a value, or where a key may stand. */
type Place = 'key' | 'value';

/**
 * Gives the tokens one by one; throws `RefusedToml`. The last one is `end`.
 * Source: github.com/pelletier/go-toml v1.9.5, lexer.go.
 */
export class GoToml1Tokens {
  readonly #text: string;
  #at: number;
  #place: Place = 'key';
  readonly #open: string[] = [];
  readonly #waiting: Token[] = [];
  /** What was read together with the token before it. */
  readonly #behind: Token[] = [];

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  peek(): Token {
    let [token] = this.#waiting;
    if (token === undefined) {
      token = this.#place === 'key' ? this.#readAtKey() : this.#readAtValue();
      this.#waiting.push(token, ...this.#behind.splice(0));
    }
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.#waiting.shift();
    return token;
  }

  /** Source: lexVoid. */
  #readAtKey(): Token {
    while (this.#skip(/[ \t\r\n]+|#[^\n]*/y));
    const sign = this.#text.charAt(this.#at);
    if (sign === '') return this.#token('end', '');
    if (sign === '}') return this.#close('}');
    if (sign === '[') return this.#readHeader();
    return sign === '=' ? this.#readEqual() : this.#readKey();
  }

  /** Source: lexRvalue. */
  #readAtValue(): Token {
    for (;;) {
      while (this.#skip(/[ \t]+|#[^\n]*/y));
      const sign = this.#text.charAt(this.#at);
      if (sign !== '\n' && sign !== '\r') return this.#readValue(sign);
      this.#at += 1;
      if (this.#open.at(-1) !== '[') {
        this.#place = 'key';
        return this.#readAtKey();
      }
    }
  }

  #readValue(sign: string): Token {
    switch (sign) {
      case '':
        return this.#token('end', '');
      case '=':
        return this.#readEqual();
      case '[':
      case '{':
        this.#open.push(sign);
        if (sign === '{') this.#place = 'key';
        return this.#token(sign, sign);
      case ']':
      case '}':
        return this.#close(sign);
      case '"':
      case "'":
        return this.#readText(sign);
      case ',':
        if (this.#open.at(-1) === '{') this.#place = 'key';
        return this.#token(',', ',');
      default:
        return this.#readBare();
    }
  }

  #readEqual(): Token {
    this.#place = 'value';
    return this.#token('=', '=');
  }

  #close(sign: ']' | '}'): Token {
    const token = this.#token(sign, sign);
    if (this.#open.pop() !== (sign === ']' ? '[' : '{')) {
      throw new RefusedToml(`cannot have '${sign}' here`, token.at);
    }
    this.#place = 'value';
    return token;
  }

  #readText(quote: string): Token {
    const at = this.#at;
    const isLong = this.#text.startsWith(quote.repeat(3), at);
    const quotes = quote.repeat(isLong ? 3 : 1);
    let from = at + quotes.length;
    if (isLong && this.#text.startsWith('\r\n', from)) from += 2;
    else if (isLong && this.#text.startsWith('\n', from)) from += 1;
    const { value, end } = this.#readInside(quote, from, quotes, isLong);
    this.#at = end + quotes.length;
    return { kind: 'text', value, at };
  }

  #readInside(quote: string, from: number, quotes: string, hasLines: boolean): ReadText {
    return quote === '"'
      ? readBasic(this.#text, from, quotes, hasLines)
      : readLiteral(this.#text, from, quotes);
  }

  #readBare(): Token {
    const word = this.#match(/true|false/y);
    if (word !== undefined) return this.#token('bool', word);
    const special = this.#match(/[+-]?(?:inf|nan)/y);
    if (special !== undefined) return this.#token('float', special);
    if (this.#match(/\d\d:/y) !== undefined) return this.#readTime();
    if (this.#match(/\d{4}-/y) !== undefined) return this.#readDate();
    return this.#readNumber();
  }

  /** Source: lexDateTime. A time behind the date is mandatory, or one blank, or the end of the text. */
  #readDate(): Token {
    const written = this.#match(/\d{4}-\d\d-\d\d(?=[ T]|$)/y);
    if (written === undefined) throw new RefusedToml('no date with a time behind it', this.#at);
    const token = this.#token('date', written);
    const isTime = this.#match(/T| (?=\d\d)/y) !== undefined;
    if (!isTime) return token;
    this.#at += 1;
    this.#behind.push(this.#readTime(), ...this.#readOffset());
    return token;
  }

  /** Source: lexTime. */
  #readTime(): Token {
    const written = this.#match(/\d\d:\d\d:\d\d(?:\.\d+)?(?!\.)/y);
    if (written === undefined)
      throw new RefusedToml('no time with hours, minutes, seconds', this.#at);
    return this.#token('time', written);
  }

  /** Source: lexTimeOffset. */
  #readOffset(): readonly Token[] {
    const written = this.#match(/Z|[+-]\d\d:\d\d/y);
    if (written !== undefined) return [this.#token('offset', written)];
    if (this.#match(/[+-]/y) === undefined) return [];
    throw new RefusedToml('no offset with hours and minutes', this.#at);
  }

  /** Source: lexNumber; what may stand in a number is looked at when it is parsed. */
  #readNumber(): Token {
    const based = this.#match(/0(?:x[0-9a-fA-F_]+|o[0-7_]+|b[01_]+)/y);
    if (based !== undefined) return this.#token('integer', based);
    if (this.#match(/0[a-zA-Z]/y) !== undefined) {
      throw new RefusedToml('unknown number base', this.#at);
    }
    const end = numberEnd(this.#text, this.#at);
    const written = this.#text.slice(this.#at, end);
    return this.#token(/[.eE]/.test(written) ? 'float' : 'integer', written);
  }

  /** Source: lexTableKey, lexInsideTableKey, lexInsideTableArrayKey. */
  #readHeader(): Token {
    const sign = this.#text.startsWith('[[', this.#at) ? '[[' : '[';
    const opened = this.#token(sign, sign);
    const name = this.#match(/[^[\]]*/y) ?? '';
    const end = sign === '[' ? ']' : ']]';
    if (!this.#text.startsWith(end, this.#at + name.length)) {
      throw new RefusedToml('the header is not closed, or has brackets inside', opened.at);
    }
    const kind = sign === '[' ? 'header' : 'list header';
    // Without a name it is an empty list to the parser, which may wait for a value.
    if (name !== '') this.#behind.push(this.#token(kind, name));
    this.#behind.push(this.#token(end, end));
    return opened;
  }

  /** Source: lexKey. The quotes stay around their texts, whose escapes go. */
  #readKey(): Token {
    const at = this.#at;
    const parts: string[] = [];
    for (let part = this.#readKeyPart(); part !== undefined; part = this.#readKeyPart()) {
      parts.push(part);
    }
    this.#skip(/[ \t]+/y);
    return { kind: 'key', value: parts.join(''), at };
  }

  #readKeyPart(): string | undefined {
    const sign = this.#text.charAt(this.#at);
    if (sign === '"' || sign === "'") {
      const { value, end } = this.#readInside(sign, this.#at + 1, sign, true);
      this.#at = end + 1;
      return sign + value + sign;
    }
    const bare = this.#match(/[A-Za-z0-9_.-]+|[ \t]+\.[ \t]*/y);
    if (bare !== undefined) {
      this.#at += bare.length;
      return bare.replace(/^\t/, ' ');
    }
    if (['', '=', ' ', '\t'].includes(sign)) return undefined;
    throw new RefusedToml(`keys cannot contain ${sign}`, this.#at);
  }

  /** Moves behind what is written. */
  #token(kind: Token['kind'], written: string): Token {
    const at = this.#at;
    this.#at += written.length;
    return { kind, value: written, at };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #skip(pattern: RegExp): boolean {
    const length = this.#match(pattern)?.length ?? 0;
    this.#at += length;
    return length > 0;
  }
}

/** Where a number ends; throws where none begins. */
function numberEnd(text: string, from: number): number {
  const part = /[0-9_]+|[eE][+-]?|\.(?=[0-9])/y;
  const start = '+-'.includes(text.charAt(from)) ? from + 1 : from;
  let at = start;
  for (;;) {
    part.lastIndex = at;
    const found = part.exec(text)?.[0];
    if (found === undefined) break;
    at += found.length;
  }
  const points = text.slice(start, at).split('.');
  const hasDigit = /[0-9]/.test(points[0] ?? '');
  if (!hasDigit || points.length > 2 || text[at] === '.') {
    throw new RefusedToml(`no value can start with ${text.charAt(from)}`, from);
  }
  return at;
}
