/** Texts in quotes as go-toml 1 reads them: more patient than TOML in several ways. */

import { RefusedToml } from './toml-fault.ts';

/** A text that was read, and where it ended: before the quotes that close it. */
export interface ReadText {
  readonly value: string;
  readonly end: number;
}

const letters: Readonly<Record<string, string>> = {
  '"': '"',
  n: '\n',
  b: '\b',
  f: '\f',
  '/': '/',
  t: '\t',
  r: '\r',
  '\\': '\\',
};

/**
 * A text with escapes from behind its first quotes; a backslash takes all blanks and line ends behind it
 * away. Source: github.com/pelletier/go-toml v1.9.5, lexer.go, lexStringAsString.
 */
export function readBasic(text: string, from: number, quotes: string, hasLines: boolean): ReadText {
  const parts: string[] = [];
  for (let at = from; at < text.length; ) {
    if (text.startsWith(quotes, at)) return { value: parts.join(''), end: at };
    const part = text[at] === '\\' ? readEscape(text, at + 1) : readPlain(text, at, hasLines);
    parts.push(part.value);
    at = part.end;
  }
  throw new RefusedToml('unclosed string', from);
}

/** As far as no escape and no quote stands there, which may close the text. */
function readPlain(text: string, at: number, hasLines: boolean): ReadText {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what ends a plain part
  const pattern = hasLines ? /[^\\"\u0000-\u001F]+|[\t\r\n"]/y : /[^\\"\u0000-\u001F]+|[\t"]/y;
  pattern.lastIndex = at;
  const value = pattern.exec(text)?.[0];
  if (value === undefined) throw new RefusedToml('unescaped control character', at);
  return { value, end: at + value.length };
}

/** A text without escapes, over several lines if need be, also between single quotes. */
export function readLiteral(text: string, from: number, quotes: string): ReadText {
  const end = text.indexOf(quotes, from);
  if (end === -1) throw new RefusedToml('unclosed string', from);
  return { value: text.slice(from, end), end };
}

function readEscape(text: string, at: number): ReadText {
  const blanks = /[\r\n\t ]+/y;
  blanks.lastIndex = at;
  const skipped = blanks.exec(text)?.[0].length;
  if (skipped !== undefined) return { value: '', end: at + skipped };
  const letter = text.charAt(at);
  if (letter === 'u') return readCode(text, at + 1, 4);
  if (letter === 'U') return readCode(text, at + 1, 8);
  const value = letters[letter];
  if (value === undefined) throw new RefusedToml(`invalid escape sequence: \\${letter}`, at - 1);
  return { value, end: at + 1 };
}

/** Go writes the sign for what is no character in place of a code that is none. */
function readCode(text: string, at: number, length: 4 | 8): ReadText {
  const digits = text.slice(at, at + length);
  if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length) {
    throw new RefusedToml('unfinished unicode escape', at);
  }
  const code = Number.parseInt(digits, 16);
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return { value: isCharacter ? String.fromCodePoint(code) : '\uFFFD', end: at + length };
}
