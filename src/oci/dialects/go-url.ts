/**
 * Go's url.Parse for URLs with a host, as far as image references depend on it: Node's URL class
 * follows another standard, lower-cases hosts and refuses others.
 *
 * Source: Go 1.23 net/url. Go works on bytes, so do we: text is held as one character per byte.
 */
import { quoteGo } from './go-quote.ts';

/** The two parts that references are made of, unescaped. */
export interface GoUrl {
  readonly host: string;
  readonly path: string;
}

type Refuse = (reason: string) => Error;
type Part = 'user' | 'host' | 'zone' | 'path' | 'fragment';

/**
 * `dummy://a:5000/b?c#d` → `{ host: 'a:5000', path: '/b' }`. `text` must begin with a scheme and
 * `//`. Throws what `refuse` makes of Go's error text: `parse "dummy://a:b": invalid port ":b" after host`.
 */
export function parseGoAuthority(text: string, refuse: Refuse): GoUrl {
  const [url = '', ...fragment] = split(text, '#');
  const about = (name: string) => (reason: string) => refuse(`parse ${quoteGo(name)}: ${reason}`);
  const parsed = parseBytes(toBytes(url), about(url));
  decode(toBytes(fragment.join('')), 'fragment', about(text));
  return { host: fromBytes(parsed.host), path: fromBytes(parsed.path) };
}

/**
 * The host of any URL as Go reads it: `https://a.example:5000/x` → `a.example:5000`, `urn:x` → ``.
 * Throws what `refuse` makes of Go's reason.
 */
export function parseGoUrlHost(text: string, refuse: Refuse): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text)) throw refuse('net/url: invalid control character in URL');
  if (text.startsWith(':')) throw refuse('missing protocol scheme');
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  if (rest.startsWith('//') && !(scheme === '' && rest.startsWith('///'))) {
    return parseGoAuthority(text, refuse).host;
  }
  if (scheme !== '' && !rest.startsWith('/')) return '';
  const [path = ''] = rest.split(/[?#]/, 1);
  if (path.split('/', 1)[0]?.includes(':')) {
    throw refuse('first path segment in URL cannot contain colon');
  }
  decode(toBytes(path), 'path', refuse);
  return '';
}

function parseBytes(url: string, refuse: Refuse): GoUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(url)) throw refuse('net/url: invalid control character in URL');
  const [beforeQuery = ''] = split(url, '?');
  const rest = beforeQuery.slice(beforeQuery.indexOf('//') + 2);
  const slash = rest.indexOf('/');
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const path = slash === -1 ? '' : rest.slice(slash);
  return { host: parseAuthority(authority, refuse), path: decode(path, 'path', refuse) };
}

function parseAuthority(authority: string, refuse: Refuse): string {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1), refuse);
  if (at === -1) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw refuse('net/url: invalid userinfo');
  decode(user, 'user', refuse);
  return host;
}

function parseHost(host: string, refuse: Refuse): string {
  const bracketed = host.startsWith('[');
  const end = host.lastIndexOf(bracketed ? ']' : ':');
  if (bracketed && end === -1) throw refuse("missing ']' in host");
  const port = end === -1 ? '' : host.slice(bracketed ? end + 1 : end);
  if (!/^(?::[0-9]*)?$/.test(port)) {
    throw refuse(`invalid port ${quoteGo(fromBytes(port))} after host`);
  }
  const zone = bracketed ? host.slice(0, end).indexOf('%25') : -1;
  if (zone === -1) return decode(host, 'host', refuse);
  const parts = [
    decode(host.slice(0, zone), 'host', refuse),
    decode(host.slice(zone, end), 'zone', refuse),
    decode(host.slice(end), 'host', refuse),
  ];
  return parts.join('');
}

const plainHostByte = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;

function decode(text: string, part: Part, refuse: Refuse): string {
  const inHost = part === 'host' || part === 'zone';
  return text.replaceAll(/%[0-9A-Fa-f]{2}|%.{0,2}|[^%]/gs, (piece) => {
    if (piece.startsWith('%')) return decodeOne(piece, part, refuse);
    if (inHost && piece < '\x80' && !plainHostByte.test(piece)) {
      throw refuse(`invalid character ${quoteGo(piece)} in host name`);
    }
    return piece;
  });
}

function decodeOne(triplet: string, part: Part, refuse: Refuse): string {
  const byte = /^%[0-9A-Fa-f]{2}$/.test(triplet)
    ? Number.parseInt(triplet.slice(1), 16)
    : undefined;
  if (byte === undefined || !mayBeEscaped(byte, part)) {
    throw refuse(`invalid URL escape ${quoteTriplet(triplet)}`);
  }
  return String.fromCharCode(byte);
}

/** Three bytes may end inside a letter, whose bytes Go then prints one by one. */
function quoteTriplet(bytes: string): string {
  const text = fromBytes(bytes);
  if (!text.includes('\ufffd')) return quoteGo(text);
  return quoteGo(bytes).replaceAll(/[\x80-\xff]|\\u00(?=[0-9a-f]{2})/g, (piece) =>
    piece.length > 1 ? '\\x' : `\\x${piece.charCodeAt(0).toString(16)}`,
  );
}

/** A host may escape only what is not ASCII, except for "%" itself; a zone also plain bytes. */
function mayBeEscaped(byte: number, part: Part): boolean {
  if (part !== 'host' && part !== 'zone') return true;
  if (byte === 0x25) return true;
  if (part === 'host') return byte >= 0x80;
  const character = String.fromCharCode(byte);
  return character === ' ' || plainHostByte.test(character);
}

/** At the first separator only. */
function split(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
