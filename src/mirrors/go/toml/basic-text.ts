/** Texts in quotes as Go's TOML libraries read them. */

import type { TomlForm } from '../../../documents/toml-scan.ts';

/** What a library knows behind a backslash, besides `\u` and `\U`. */
export interface EscapeRules {
  /** Letters that stand for one character, of `btnfre"\`. */
  readonly letters: string;
  /** Whether `\x41` is known. */
  readonly hasHex: boolean;
}

const characters: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001B',
  '"': '"',
  '\\': '\\',
};

const escapes =
  /\\(?:(?<fold>[ \t]*\r?\n[ \t\r\n]*)|x(?<x>[0-9a-fA-F]{2})|u(?<u>[0-9a-fA-F]{4})|U(?<U>[0-9a-fA-F]{8})|(?<letter>[\s\S]?))/g;

/**
 * What a text with its quotes means: `"a\tb"` → `a<tab>b`; or the reason why it is refused.
 * Line breaks behind a backslash fold only in texts of three quotes; elsewhere no line breaks are.
 */
export function readText(
  written: string,
  form: Exclude<TomlForm, 'bare'>,
  rules: EscapeRules,
): { readonly value: string } | { readonly reason: string } {
  const quotes = form.startsWith('multi') ? 3 : 1;
  const body = written.slice(quotes, -quotes);
  const inner = quotes === 3 ? body.replace(/^\r?\n/, '') : body;
  if (form.endsWith('literal') || !inner.includes('\\')) return { value: inner };
  let reason: string | undefined;
  const value = inner.replaceAll(escapes, (found, ...rest) => {
    // The groups are the last argument of a replacer when the pattern has names.
    const read = readEscape(rest.at(-1) as Groups, rules);
    reason ??= read === undefined ? `invalid escape ${found}` : undefined;
    return read ?? '';
  });
  return reason === undefined ? { value } : { reason };
}

type Groups = Readonly<Partial<Record<'fold' | 'x' | 'u' | 'U' | 'letter', string>>>;

function readEscape(groups: Groups, rules: EscapeRules): string | undefined {
  if (groups.fold !== undefined) return '';
  const code = groups.x ?? groups.u ?? groups.U;
  if (code !== undefined) {
    const isKnown = groups.x === undefined || rules.hasHex;
    return isKnown ? characterOf(Number.parseInt(code, 16)) : undefined;
  }
  const letter = groups.letter || '?';
  return rules.letters.includes(letter) ? characters[letter] : undefined;
}

function characterOf(point: number): string | undefined {
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(point);
}
