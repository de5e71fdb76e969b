const named: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/**
 * Text in quotes as Go's `%q` prints it in error messages: `a"b` and a line end → `"a\"b\n"`.
 * Letters of every language stay as they are; a byte that is no UTF-8 (go-url/bytes.ts) becomes `\xff`.
 * Source: Go strconv.Quote.
 */
export function quoteGo(text: string): string {
  return `"${[...text].map(quoteOne).join('')}"`;
}

function quoteOne(character: string): string {
  const short = named[character];
  if (short !== undefined) return short;
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  if (character < '\x20' || character === '\x7f') return `\\x${hex.padStart(2, '0')}`;
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
