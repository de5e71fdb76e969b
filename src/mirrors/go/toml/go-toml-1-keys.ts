/** The names in a key or header as go-toml 1 parts them, once its texts in quotes have been read. */

const bareCharacters = /[A-Za-z0-9_-]+/y;
const blanks = /[ \t]+/y;

/**
 * `a."b c".d` → its three names; undefined for what is no key. It takes `.a`, `"a"b` and `a. .b`, too.
 * Source: github.com/pelletier/go-toml v1.9.5, keysparsing.go, parseKey.
 */
export function partKey(key: string): readonly string[] | undefined {
  const names: string[] = [];
  for (let at = skip(key, 0); at < key.length; at = skip(key, at)) {
    const part = readPart(key, at);
    if (part === undefined) return undefined;
    if (part.name !== undefined) names.push(part.name);
    at = part.end;
  }
  return names.length === 0 ? undefined : names;
}

/** A name or a dot. */
function readPart(key: string, at: number): { name?: string; end: number } | undefined {
  const sign = key.charAt(at);
  if (sign === '"' || sign === "'") return readQuoted(key, at, sign);
  if (sign === '.')
    return /[A-Za-z0-9_"' -]/.test(key.charAt(at + 1)) ? { end: at + 1 } : undefined;
  const name = match(bareCharacters, key, at);
  const end = name === undefined ? undefined : endOfBare(key, at + name.length);
  return name === undefined || end === undefined ? undefined : { name, end };
}

function readQuoted(key: string, at: number, quote: string) {
  const end = key.indexOf(quote, at + 1);
  return end === -1 ? undefined : { name: key.slice(at + 1, end), end: end + 1 };
}

/** Behind a bare name comes the end, a dot, or blanks and one of these. */
function endOfBare(key: string, at: number): number | undefined {
  const end = skip(key, at);
  return end === key.length || key[end] === '.' ? end : undefined;
}

function skip(key: string, at: number): number {
  return at + (match(blanks, key, at)?.length ?? 0);
}

function match(pattern: RegExp, key: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(key)?.[0];
}
