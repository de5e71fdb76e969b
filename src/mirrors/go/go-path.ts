/** Go's path functions, as far as the paths of endpoints and rules go through them. */

/** path.Clean: `/a/../b/` → `/b`, `` → `.`, `//v2` → `/v2`. */
export function cleanPath(path: string): string {
  const isRooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') goUp(parts, isRooted);
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const joined = parts.join('/');
  if (isRooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

function goUp(parts: string[], isRooted: boolean): void {
  if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
  else if (!isRooted) parts.push('..');
}

/** path.Join: empty parts are left out, the rest is joined and cleaned; nothing gives nothing. */
export function joinPath(...parts: readonly string[]): string {
  const filled = parts.filter((part) => part !== '');
  return filled.length === 0 ? '' : cleanPath(filled.join('/'));
}

/** The path itself if it is absolute, else joined to `base`. */
export function absolutePath(path: string, base: string): string {
  return path.startsWith('/') ? path : joinPath(base, path);
}

/** The names on the way, without empty ones and those that stay: `/etc//x/./y` → `etc`, `x`, `y`. */
export function pathParts(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}
