/** Percent signs in the parts of a URL, over bytes. Source: Go 1.26 net/url, unescape, escape and encoding_table.go. */

import { quoteGo } from '../dialects/go-quote.ts';
import { fromBytes } from './bytes.ts';

/** Each part has signs of its own that stand there as they are. */
export type UrlPart = 'user' | 'host' | 'zone' | 'path' | 'fragment';

/** Go's reason why a text is no URL. */
export class GoUrlFault extends Error {}

/** What is written in a part without a percent sign. */
const plain: Readonly<Record<UrlPart, RegExp>> = {
  user: /[\w\-.~$&+,;=]/,
  host: /[\w\-.~!$&'()*+,;=:[\]<>"]/,
  zone: /[\w\-.~!$&'()*+,;=:[\]<>"]/,
  path: /[\w\-.~$&+,/:;=@]/,
  fragment: /[\w\-.~!$&()*+,/:;=?@]/,
};

/** `a%20b` → `a b`. Throws {@link GoUrlFault}. */
export function unescapePart(bytes: string, part: UrlPart): string {
  const inHost = part === 'host' || part === 'zone';
  return bytes.replaceAll(/%[0-9A-Fa-f]{2}|%.{0,2}|[^%]/gs, (piece) => {
    if (piece.startsWith('%')) return unescapeOne(piece, part);
    if (inHost && piece < '\x80' && !plain[part].test(piece)) {
      throw new GoUrlFault(`invalid character ${quoteGo(piece)} in host name`);
    }
    return piece;
  });
}

function unescapeOne(triplet: string, part: UrlPart): string {
  const byte = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
  if (!/^%[0-9A-Fa-f]{2}$/.test(triplet) || !mayBeEscaped(byte, part)) {
    throw new GoUrlFault(`invalid URL escape ${quoteGo(fromBytes(triplet))}`);
  }
  return byte;
}

/** A host may escape only what is not ASCII, and "%" itself; a zone also what it may hold anyway, and blanks. */
function mayBeEscaped(byte: string, part: UrlPart): boolean {
  if (byte === '%') return true;
  if (part === 'host') return byte >= '\x80';
  return part !== 'zone' || byte === ' ' || plain.zone.test(byte);
}

/** `a b` → `a%20b`. */
export function escapePart(bytes: string, part: UrlPart): string {
  return bytes.replaceAll(/[\s\S]/g, (byte) =>
    plain[part].test(byte)
      ? byte
      : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** What was written if that is one way to write `bytes`, else the usual one: `(a)` stays, `a b` becomes `a%20b`. */
export function writtenPart(written: string, bytes: string, part: 'path' | 'fragment'): string {
  const isValid = Array.from(written).every(
    (byte) => /[!$&'()*+,;=:@[\]%]/.test(byte) || plain[part].test(byte),
  );
  if (isValid && written !== '') return written;
  return part === 'path' && bytes === '*' ? '*' : escapePart(bytes, part);
}
