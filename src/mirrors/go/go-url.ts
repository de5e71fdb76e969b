/**
 * Go's url.Parse, as far as an endpoint's URL is concerned. WHATWG URLs (the global `URL`) differ:
 * they lower-case hosts, drop default ports, repair slashes, and refuse what Go accepts.
 */

/** The parts that containerd uses. `host` is as written; `path` is percent-decoded. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  /** The name and password before an `@`, if there are any. */
  readonly hasUserInfo: boolean;
  readonly hasQuery: boolean;
}

/** A URL, or Go's reason why it is none. */
export type GoUrlResult =
  | { readonly ok: true; readonly url: GoUrl }
  | { readonly ok: false; readonly reason: string };

/**
 * `https://m.example.com:5000/v2/x?y` → scheme `https`, host `m.example.com:5000`, path `/v2/x`.
 * `httpcache.example.com:5000` → scheme `httpcache.example.com`, no host, no path.
 */
export function parseGoUrl(text: string): GoUrlResult {
  try {
    return { ok: true, url: parse(text) };
  } catch (error) {
    if (!(error instanceof BadUrl)) throw error;
    // Go names the URL without its fragment, unless the fragment itself is what is wrong.
    const [named = ''] = error.isInFragment ? [text] : text.split('#', 1);
    return { ok: false, reason: `parse ${JSON.stringify(named)}: ${error.message}` };
  }
}

class BadUrl extends Error {
  readonly isInFragment: boolean;

  constructor(message: string, isInFragment = false) {
    super(message);
    this.isInFragment = isInFragment;
  }
}

function parse(text: string): GoUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses exactly these
  if (/[\x00-\x1f\x7f]/.test(text)) throw new BadUrl('net/url: invalid control character in URL');
  const [withoutFragment = '', ...fragment] = text.split('#');
  const url = parseWithoutFragment(withoutFragment);
  const bad = badEscape.exec(fragment.join('#'));
  if (bad !== null) throw new BadUrl(`invalid URL escape ${JSON.stringify(bad[0])}`, true);
  return url;
}

/** A percent sign without two digits behind it, as Go shows it. */
const badEscape = /%(?![0-9A-Fa-f]{2}).{0,2}/;

function parseWithoutFragment(withoutFragment: string): GoUrl {
  const { scheme, rest } = splitScheme(withoutFragment);
  const query = rest.indexOf('?');
  const address = query === -1 ? rest : rest.slice(0, query);
  const common = { scheme: scheme.toLowerCase(), hasQuery: query !== -1 };
  if (!address.startsWith('/') && scheme !== '') {
    return { ...common, host: '', path: '', hasUserInfo: false };
  }
  if (!address.startsWith('//') || (scheme === '' && address.startsWith('///'))) {
    refuseColonInFirstSegment(address);
    return { ...common, host: '', path: decodePath(address), hasUserInfo: false };
  }
  return { ...common, ...splitAuthority(address.slice(2)) };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  if (text.startsWith(':')) throw new BadUrl('missing protocol scheme');
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  if (match === null) return { scheme: '', rest: text };
  return { scheme: match[1] ?? '', rest: text.slice(match[0].length) };
}

function refuseColonInFirstSegment(path: string): void {
  const [first = ''] = path.split('/', 1);
  if (first.includes(':')) throw new BadUrl('first path segment in URL cannot contain colon');
}

function splitAuthority(text: string): Omit<GoUrl, 'scheme' | 'hasQuery'> {
  const slash = text.indexOf('/');
  const authority = slash === -1 ? text : text.slice(0, slash);
  const at = authority.lastIndexOf('@');
  const host = checkHost(authority.slice(at + 1));
  refuseBadUserInfo(authority.slice(0, Math.max(at, 0)));
  return {
    host,
    path: slash === -1 ? '' : decodePath(text.slice(slash)),
    hasUserInfo: at !== -1,
  };
}

/** Source: net/url, validUserinfo. */
function refuseBadUserInfo(text: string): void {
  if (/[^A-Za-z0-9\-._:~!$&'()*+,;=%@]/.test(text)) throw new BadUrl('net/url: invalid userinfo');
  const bad = badEscape.exec(text);
  if (bad !== null) throw new BadUrl(`invalid URL escape ${JSON.stringify(bad[0])}`);
}

function checkHost(host: string): string {
  const port = host.startsWith('[')
    ? afterBracket(host)
    : host.includes(':')
      ? host.slice(host.lastIndexOf(':'))
      : '';
  if (!/^(:\d*)?$/.test(port)) throw new BadUrl(`invalid port ${JSON.stringify(port)} after host`);
  // Escapes stand for letters outside of ASCII only, and for the percent sign itself.
  const wrong = /%(?:(?![0-9A-Fa-f]{2})|(?!25)[0-7][0-9A-Fa-f]).{0,2}/.exec(host);
  if (wrong !== null)
    throw new BadUrl(`invalid URL escape ${JSON.stringify(wrong[0].slice(0, 3))}`);
  const bad = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uFFFF]/u.exec(host);
  if (bad !== null) throw new BadUrl(`invalid character ${JSON.stringify(bad[0])} in host name`);
  return host;
}

function afterBracket(host: string): string {
  const end = host.lastIndexOf(']');
  if (end === -1) throw new BadUrl("missing ']' in host");
  return host.slice(end + 1);
}

function decodePath(path: string): string {
  const bad = badEscape.exec(path);
  if (bad !== null) throw new BadUrl(`invalid URL escape ${JSON.stringify(bad[0])}`);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // escapes that are no UTF-8: Go keeps the bytes, and writes the same escapes again
  }
}

/** net.SplitHostPort: `h:1` → host and port; without exactly one port there is none. */
export function splitHostPort(host: string): { readonly host: string; readonly port: string } {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(host);
  if (match === null) return { host, port: '' };
  return { host: match[1] ?? match[2] ?? '', port: match[3] ?? '' };
}

/** True for `localhost`, 127.0.0.0/8 and `[::1]:port`, as containerd decides it. */
export function isLocalHost(host: string): boolean {
  const name = splitHostPort(host).host;
  if (name === 'localhost' || name === '::1') return true;
  return (
    /^127(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(name) &&
    name.split('.').every((part) => Number(part) < 256)
  );
}
