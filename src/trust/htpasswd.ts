import { hash, truncates } from 'bcryptjs';
import { compareText } from '../shared/json.ts';
import type { Secret } from '../shared/secret.ts';
import { HtpasswdInvalid, PasswordUnusable } from './errors.ts';

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

/** The file's text, users in order of their names: the same users are the same bytes. */
export function formatHtpasswd(users: Htpasswd): string {
  const sorted = [...users].sort(([a], [b]) => compareText(a, b));
  return sorted.map(([name, digest]) => `${name}:${digest}\n`).join('');
}

/**
 * The users with one more or another password; `$2y$` as Apache writes it, 2^`rounds` iterations.
 * PASSWORD_UNUSABLE for what bcrypt would cut off (more than 72 bytes) and for a name with a colon.
 */
export async function withUser(
  users: Htpasswd,
  username: string,
  password: Secret,
  rounds = 10,
): Promise<Htpasswd> {
  const clear = password.reveal();
  const because = unusable(username, clear);
  if (because !== undefined) throw new PasswordUnusable({ username, because });
  const digest = await hash(clear, rounds);
  return new Map([...users, [username, digest.replace(/^\$2.\$/, '$2y$')]]);
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

function unusable(username: string, password: string): string | undefined {
  // Control characters would end the line in the file.
  if (!/^[^:\p{Cc}]+$/u.test(username))
    return 'the name is empty or holds ":" or control characters';
  if (password === '') return 'the password is empty';
  if (truncates(password)) return 'the password is longer than 72 bytes';
  return undefined;
}
