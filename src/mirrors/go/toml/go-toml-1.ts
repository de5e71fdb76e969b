/** Reads TOML as go-toml 1 does, the library of containerd 1.x. */

import { MAX_DEPTH } from '../../../documents/toml-cursor.ts';
import { scanToml, type TomlScan } from '../../../documents/toml-scan.ts';
import { isDate } from './dates.ts';
import { textOfBytes } from './encoding.ts';
import { partKey } from './go-toml-1-keys.ts';
import { GoToml1Tables, setAt } from './go-toml-1-tables.ts';
import { GoToml1Tokens, type Token } from './go-toml-1-tokens.ts';
import type { GoTomlReading } from './go-toml-2.ts';
import { type GoMap, type GoValue, plainTable, TableList } from './go-values.ts';
import { faultOf, RefusedToml, type TomlFault } from './toml-fault.ts';

/**
 * Reads a file. Never throws for bad input. Up to 64 tables may be inside each other, then it is `too-deep`.
 * Where the library takes what is no TOML, the scan ends early, and what stands behind has no places.
 * Source: github.com/pelletier/go-toml v1.9.5; run in test/oracles/toml.
 */
export function readGoToml1(bytes: Uint8Array): GoTomlReading {
  const text = textOfBytes(withoutMark(bytes));
  const scan = scanToml(text);
  try {
    const value = new Reader(text).readAll();
    return { ok: true, value: plainTable(value), scan };
  } catch (error) {
    return { ok: false, ...withBrackets(faultOf(error, text), scan) };
  }
}

/** The marks of UTF-16 and UTF-32 are passed over; that of UTF-8 stays, for the offsets. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const [a, b, c, d] = bytes;
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return bytes.subarray(4);
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return bytes.subarray(4);
  const isUtf16 = (a === 0xfe && b === 0xff) || (a === 0xff && b === 0xfe);
  return isUtf16 ? bytes.subarray(2) : bytes;
}

function withBrackets(fault: TomlFault, { headers }: TomlScan): TomlFault {
  const header = headers.find(({ raw, line }) => line === fault.line && /[[\]]/.test(raw));
  if (header === undefined) return fault;
  const { raw, line, column } = header;
  const reason = `the header [${raw}] has brackets inside, such as an IPv6 address`;
  return { kind: 'brackets', reason, line, column };
}

class Reader {
  readonly #tokens: GoToml1Tokens;
  readonly #tables = new GoToml1Tables();
  /** Lists and inline tables around the place. */
  #depth = 0;

  constructor(text: string) {
    this.#tokens = new GoToml1Tokens(text, text.startsWith('\uFEFF') ? 1 : 0);
  }

  /** Source: parser.go, parseStart. */
  readAll(): GoMap {
    for (let token = this.#tokens.next(); token.kind !== 'end'; token = this.#tokens.next()) {
      if (token.kind === 'key') this.#readAssignment(token);
      else if (token.kind === '[' || token.kind === '[[') this.#readHeader();
      else throw unexpected(token);
    }
    return this.#tables.root;
  }

  #readHeader(): void {
    const name = this.#tokens.next();
    const path = namesOf(name);
    if (name.kind === 'header') this.#tables.openTable(name.value, path, name.at);
    else if (name.kind === 'list header') this.#tables.addToList(name.value, path, name.at);
    else throw unexpected(name);
    this.#tokens.next();
  }

  #readAssignment(key: Token): void {
    this.#expect('=');
    const path = namesOf(key);
    this.#tables.set(path, this.#readValue(), key.at);
  }

  #expect(kind: Token['kind']): void {
    const token = this.#tokens.next();
    if (token.kind !== kind) throw unexpected(token);
  }

  /** Source: parseRvalue. */
  #readValue(): GoValue {
    const token = this.#tokens.next();
    if (token.kind === '[') return this.#inside(token, () => this.#readList());
    if (token.kind === '{') return this.#inside(token, () => this.#readTable());
    if (token.kind === 'date') return this.#readDate(token);
    if (token.kind === 'time') return dateOf(token.value, token);
    if (token.kind === 'text') return token.value;
    if (token.kind === 'bool') return token.value === 'true';
    if (token.kind === 'integer' || token.kind === 'float') return numberOf(token);
    throw unexpected(token);
  }

  #inside(token: Token, read: () => GoValue): GoValue {
    if (this.#depth === MAX_DEPTH) {
      const reason = `tables and lists are nested more than ${MAX_DEPTH} deep`;
      throw new RefusedToml(reason, token.at, 'too-deep');
    }
    this.#depth += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /** A time behind a date belongs to it, on another line of a list too. */
  #readDate(date: Token): GoValue {
    if (this.#tokens.peek().kind !== 'time') return dateOf(date.value, date);
    const time = this.#tokens.next().value;
    const offset = this.#tokens.peek().kind === 'offset' ? this.#tokens.next().value : '';
    return dateOf(`${date.value}T${time}${offset}`, date);
  }

  /** Source: parseArray. A list of nothing but tables is the same as `[[headers]]`. */
  #readList(): GoValue {
    const items: GoValue[] = [];
    while (this.#tokens.peek().kind !== ']') {
      items.push(this.#readValue());
      const behind = this.#tokens.peek();
      if (behind.kind === ',') this.#tokens.next();
      else if (behind.kind !== ']') throw unexpected(behind);
    }
    this.#tokens.next();
    const tables = items.filter((item) => item instanceof Map);
    return items.length > 0 && tables.length === items.length ? new TableList(tables) : items;
  }

  /** Source: parseInlineTable. A name that comes twice counts the last time. */
  #readTable(): GoValue {
    const table: GoMap = new Map();
    for (let isFirst = true; ; isFirst = false) {
      const token = this.#tokens.next();
      if (token.kind === '}' && isFirst) break;
      if (token.kind !== 'key' && token.kind !== 'integer' && token.kind !== 'text') {
        throw unexpected(token);
      }
      this.#expect('=');
      const path = namesOf(token);
      setAt(table, path, this.#readValue());
      const behind = this.#tokens.next();
      if (behind.kind === '}') break;
      if (behind.kind !== ',') throw unexpected(behind);
    }
    return this.#tables.close(table);
  }
}

function namesOf(token: Token): readonly string[] {
  const names = partKey(token.value);
  if (names === undefined) throw new RefusedToml(`invalid key ${token.value}`, token.at);
  return names;
}

function unexpected({ kind, at }: Token): RefusedToml {
  return new RefusedToml(kind === 'end' ? 'the text ends too early' : `unexpected ${kind}`, at);
}

function dateOf(written: string, { at }: Token): Date {
  const rules = { mayLackSeconds: false, hasLeapSeconds: false, largestOffset: [24, 60] } as const;
  if (isDate(written, rules)) return new Date(0);
  throw new RefusedToml('there is no such day or time', at);
}

/** Whole numbers up to 64 bits without a sign are read, too; leading zeros count where the text is short. */
function numberOf({ kind, value, at }: Token): bigint | number {
  const number = kind === 'float' ? floatOf(value) : wholeOf(value);
  if (number !== undefined) return number;
  throw new RefusedToml('the value is no number that can be read, and has no quotes', at);
}

function floatOf(written: string): number | undefined {
  const [, sign, special] = /^([+-]?)(inf|nan)$/.exec(written) ?? [];
  if (special === 'nan') return Number.NaN;
  if (special === 'inf') return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const cleaned = cleanedOf(written, /[0-9]_(?=.)/);
  if (!/^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(cleaned)) return undefined;
  const value = Number(cleaned);
  return Number.isFinite(value) ? value : undefined;
}

function wholeOf(written: string): bigint | undefined {
  const isHex = /^0x/.test(written.replaceAll('_', ''));
  const cleaned = cleanedOf(written, isHex ? /[0-9a-fA-F]_(?=.)/ : /[0-9]_(?=.)/);
  const isPlain = /^(?:[+-]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+)$/.test(cleaned);
  // Three signs with a zero in front name a base, and there is none.
  if (!isPlain || /^0[0-9]{2}/.test(cleaned) || cleaned.length > 70) return undefined;
  const value = /^[+-]/.test(cleaned)
    ? BigInt(cleaned.slice(1)) * (cleaned.startsWith('-') ? -1n : 1n)
    : BigInt(cleaned);
  const isSigned = BigInt.asIntN(64, value) === value;
  return isSigned || (/^[0-9]/.test(cleaned) && value < 2n ** 64n) ? value : undefined;
}

/** Each `_` needs a digit before it and any sign behind it; an empty text where one has not. */
function cleanedOf(written: string, allowed: RegExp): string {
  const parts = written.split(allowed).length - 1;
  const count = written.split('_').length - 1;
  return parts === count ? written.replaceAll('_', '') : '';
}
