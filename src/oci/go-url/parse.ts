/**
 * Go's url.Parse. Node's URL class follows another standard: it lower-cases hosts, drops default ports, repairs
 * slashes, and refuses what Go accepts. Source: Go 1.26 net/url, with the rule about colons of programs before it
 * (urlstrictcolons=0); Go checks addresses in brackets since 1.24.8 and 1.25.2.
 */

import { Secret } from '../../shared/secret.ts';
import { quoteGo } from '../dialects/go-quote.ts';
import { fromBytes, toBytes } from './bytes.ts';
import { escapePart, GoUrlFault, unescapePart } from './escape.ts';
import { literalFault } from './ip-literal.ts';

/** The parts of a URL; empty where it has none. */
export interface GoUrl {
  /** In small letters. */
  readonly scheme: string;
  /** `x` of `urn:x`: what stands behind the scheme without a slash. */
  readonly opaque: string;
  /** `ann:secret` of `https://ann:secret@h`, as Go would write it; absent without an `@`. */
  readonly login?: Secret;
  /** host[:port] with escapes resolved, in the letter case of the text. */
  readonly host: string;
  /** False for `file:/a`, where Go writes no `//`. */
  readonly hasAuthority: boolean;
  /** With escapes resolved. */
  readonly path: string;
  /** As it stands in the text. */
  readonly writtenPath: string;
  /** Behind the first `?`. */
  readonly query?: string;
  readonly writtenFragment: string;
}

/** A URL, or Go's reason why it is none: `parse "https://h:port": invalid port ":port" after host`. */
export type GoUrlResult =
  | { readonly ok: true; readonly url: GoUrl }
  | { readonly ok: false; readonly reason: string };

/**
 * `https://M.example:5000/v2/x?y` → scheme `https`, host `M.example:5000`, path `/v2/x`, query `y`;
 * `httpcache.example:5000` → scheme `httpcache.example`, opaque `5000`.
 */
export function parseGoUrl(text: string): GoUrlResult {
  const [beforeFragment, writtenFragment = ''] = cut(toBytes(text), '#');
  let about = fromBytes(beforeFragment);
  try {
    const parts = parseParts(beforeFragment);
    about = text;
    unescapePart(writtenFragment, 'fragment');
    return { ok: true, url: { ...parts, writtenFragment: fromBytes(writtenFragment) } };
  } catch (error) {
    if (!(error instanceof GoUrlFault)) throw error;
    return { ok: false, reason: `parse ${quoteGo(about)}: ${error.message}` };
  }
}

type Parts = Omit<GoUrl, 'writtenFragment'>;

function parseParts(bytes: string): Parts {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses exactly these
  if (/[\x00-\x1f\x7f]/.test(bytes)) {
    throw new GoUrlFault('net/url: invalid control character in URL');
  }
  const { scheme, rest } = splitScheme(bytes);
  const [address, query] = cut(rest, '?');
  const common = { scheme, ...(query !== undefined && { query: fromBytes(query) }) };
  if (!address.startsWith('/') && scheme !== '') {
    return { ...common, ...pathOf(''), opaque: fromBytes(address), host: '', hasAuthority: true };
  }
  if (address.startsWith('//') && (scheme !== '' || !address.startsWith('///'))) {
    return { ...common, opaque: '', ...parseAuthority(address.slice(2)), hasAuthority: true };
  }
  refuseColonInFirstSegment(address);
  const hasAuthority = scheme === '';
  return { ...common, opaque: '', host: '', hasAuthority, ...pathOf(address) };
}

function splitScheme(bytes: string): { readonly scheme: string; readonly rest: string } {
  if (bytes.startsWith(':')) throw new GoUrlFault('missing protocol scheme');
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(bytes);
  if (match === null) return { scheme: '', rest: bytes };
  const [all, scheme = ''] = match;
  return { scheme: scheme.toLowerCase(), rest: bytes.slice(all.length) };
}

function refuseColonInFirstSegment(path: string): void {
  if (/^[^/]*:/.test(path)) {
    throw new GoUrlFault('first path segment in URL cannot contain colon');
  }
}

function pathOf(bytes: string): Pick<GoUrl, 'path' | 'writtenPath'> {
  return { path: fromBytes(unescapePart(bytes, 'path')), writtenPath: fromBytes(bytes) };
}

function parseAuthority(bytes: string): Pick<GoUrl, 'login' | 'host' | 'path' | 'writtenPath'> {
  const slash = bytes.indexOf('/');
  const authority = slash === -1 ? bytes : bytes.slice(0, slash);
  const at = authority.lastIndexOf('@');
  const host = fromBytes(parseHost(authority.slice(at + 1)));
  const login = at === -1 ? {} : { login: parseLogin(authority.slice(0, at)) };
  return { host, ...login, ...pathOf(slash === -1 ? '' : bytes.slice(slash)) };
}

/** Name and password each read and written again. */
function parseLogin(bytes: string): Secret {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(bytes)) {
    throw new GoUrlFault('net/url: invalid userinfo');
  }
  const rewrite = (part: string) => escapePart(unescapePart(part, 'user'), 'user');
  const [name, password] = cut(bytes, ':');
  return new Secret(
    password === undefined ? rewrite(name) : `${rewrite(name)}:${rewrite(password)}`,
  );
}

function parseHost(bytes: string): string {
  const bracket = bytes.lastIndexOf('[');
  if (bracket > 0) throw new GoUrlFault('invalid IP-literal');
  const end = bytes.lastIndexOf(bracket === 0 ? ']' : ':');
  if (bracket === 0 && end === -1) throw new GoUrlFault("missing ']' in host");
  const port = end === -1 ? '' : bytes.slice(bracket === 0 ? end + 1 : end);
  if (!/^(?::[0-9]*)?$/.test(port)) {
    throw new GoUrlFault(`invalid port ${quoteGo(fromBytes(port))} after host`);
  }
  if (bracket !== 0) return unescapePart(bytes, 'host');
  return `[${parseLiteral(bytes.slice(1, end))}]${port}`;
}

function parseLiteral(bytes: string): string {
  const zone = bytes.indexOf('%25');
  const address = unescapePart(zone === -1 ? bytes : bytes.slice(0, zone), 'host');
  const literal = zone === -1 ? address : address + unescapePart(bytes.slice(zone), 'zone');
  const fault = literalFault(literal);
  if (fault !== undefined) throw new GoUrlFault(fault);
  return literal;
}

/** At the first sign only; the second part is undefined where there is none. */
function cut(text: string, sign: string): readonly [before: string, after?: string] {
  const at = text.indexOf(sign);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
