/** The small pieces of a pattern: escapes of one character, and repetitions. */

import { RegexpFault } from './syntax.ts';

/** A character and where the text goes on. */
export interface ReadChar {
  readonly char: string;
  readonly end: number;
}

/** `*`, `+`, `?` or `{2,5}`; `max` is -1 without a limit, `min` is -1 for a number that is too large. */
export interface Repeat {
  readonly min: number;
  readonly max: number;
  readonly end: number;
}

const signs: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['*', [0, -1]],
  ['+', [1, -1]],
  ['?', [0, 1]],
]);

/** The repetition at a place; undefined where `{` is a character like others. */
export function readRepeat(chars: readonly string[], at: number): Repeat | undefined {
  const sign = signs.get(chars[at] ?? '');
  if (sign !== undefined) return { min: sign[0], max: sign[1], end: at + 1 };
  if (chars[at] !== '{') return undefined;
  const text = chars.slice(at, at + 200).join('');
  const match = /^\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/.exec(text);
  if (match === null) return undefined;
  const [whole, low = '', comma, high] = match;
  const min = bounded(low);
  const max = comma === undefined ? min : high === undefined ? -1 : bounded(high);
  const isTooLarge = min < 0 || (high !== undefined && max < 0);
  return { min: isTooLarge ? -1 : min, max, end: at + whole.length };
}

function bounded(digits: string): number {
  return digits.length > 8 ? -1 : Number(digits);
}

/** One character of a class, escaped or not. */
export function classChar(chars: readonly string[], at: number): ReadChar {
  const char = chars[at] ?? '';
  return char === '\\' ? readEscape(chars, at) : { char, end: at + 1 };
}

const letters: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** `\.` → `.`, `\x41` → `A`. Throws {@link RegexpFault}. */
export function readEscape(chars: readonly string[], at: number): ReadChar {
  const char = chars[at + 1];
  if (char === undefined) throw new RegexpFault('trailing backslash at end of expression', '');
  if (/^[^A-Za-z0-9]$/.test(char) && (char.codePointAt(0) ?? 0) < 128) return { char, end: at + 2 };
  const letter = letters.get(char);
  if (letter !== undefined) return { char: letter, end: at + 2 };
  if (char === 'x') return readHex(chars, at);
  const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(chars.slice(at + 1, at + 4).join(''))?.[0];
  if (octal === undefined) throw new RegexpFault('invalid escape sequence', `\\${char}`);
  return { char: String.fromCodePoint(Number.parseInt(octal, 8)), end: at + 1 + octal.length };
}

function readHex(chars: readonly string[], at: number): ReadChar {
  const text = chars.slice(at).join('');
  const [whole = '', braced, pair] = /^\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(text) ?? [];
  const point = Number.parseInt(braced ?? pair ?? '', 16);
  if (Number.isNaN(point) || point > 0x10ffff)
    throw new RegexpFault('invalid escape sequence', badHex(text));
  return { char: String.fromCodePoint(point), end: at + whole.length };
}

/** As far as Go read before it gave up. */
function badHex(text: string): string {
  if (!text.startsWith('\\x{')) return Array.from(text).slice(0, 4).join('');
  let point = 0;
  const chars = Array.from(text);
  for (const [index, char] of chars.entries()) {
    if (index < 3) continue;
    point = point * 16 + Number.parseInt(char, 16);
    if (!(point <= 0x10ffff)) return chars.slice(0, index + 1).join('');
  }
  return text;
}
