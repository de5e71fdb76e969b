/**
 * Go's strings are bytes. Here they are held as one character for each byte, from `\x00` to `\xff`, while they are
 * worked on. A byte that is no UTF-8 becomes a lone surrogate in our text, `\xff` → `\udcff`, and a byte again.
 */

/** `é` → `Ã©`: its two bytes. */
export function toBytes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  return text.replaceAll(/[^\x00-\x7f]/gu, (letter) =>
    /^[\udc80-\udcff]$/u.test(letter)
      ? String.fromCharCode(letter.charCodeAt(0) - SURROGATES)
      : Buffer.from(letter, 'utf8').toString('latin1'),
  );
}

const SURROGATES = 0xdc00;

/** One letter of UTF-8, or a byte that is none. Source: the table of Unicode 16, 3.9. */
const letters =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** The text of such bytes; `toBytes` gives the same bytes again. */
export function fromBytes(bytes: string): string {
  return bytes.replaceAll(letters, (letter) =>
    letter.length > 1
      ? Buffer.from(letter, 'latin1').toString('utf8')
      : String.fromCharCode(SURROGATES + letter.charCodeAt(0)),
  );
}
