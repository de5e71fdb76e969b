import { HtpasswdInvalid } from './errors.ts';

/** Users and their bcrypt hashes, as an `htpasswd -B` file holds them. */
export type Htpasswd = ReadonlyMap<string, string>;

const bcryptHash = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;

/**
 * Reads an htpasswd file. Only bcrypt is taken, like in docker-registry: the older hashes can be
 * guessed at any speed. Empty lines and comments are skipped. HTPASSWD_INVALID with `file:line`.
 */
export function parseHtpasswd(text: string, file: string): Htpasswd {
  const users = new Map<string, string>();
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [name, digest] = splitLine(line, file, index + 1);
    if (users.has(name)) {
      const because = `the user ${JSON.stringify(name)} is there twice`;
      throw new HtpasswdInvalid({ file, line: index + 1, because });
    }
    users.set(name, digest);
  }
  return users;
}

function splitLine(line: string, file: string, number: number): readonly [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) {
    throw new HtpasswdInvalid({ file, line: number, because: 'expected USER:HASH' });
  }
  const digest = line.slice(colon + 1);
  if (!bcryptHash.test(digest)) {
    const because = `the password of ${JSON.stringify(line.slice(0, colon))} is not a bcrypt hash`;
    throw new HtpasswdInvalid({ file, line: number, because });
  }
  return [line.slice(0, colon), digest];
}
