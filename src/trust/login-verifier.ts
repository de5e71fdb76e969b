import { createHmac, randomBytes } from 'node:crypto';
import { compare } from 'bcryptjs';
import { SingleFlight } from '../shared/bounded.ts';
import type { Secret } from '../shared/secret.ts';
import type { Htpasswd } from './htpasswd.ts';

/** Says whether a user's password is right. */
export interface LoginVerifier {
  verify(username: string, password: Secret): Promise<boolean>;
}

/** Says whether a password in clear is the one behind a bcrypt hash. */
export type PasswordCheck = (password: string, hash: string) => Promise<boolean>;

/** A bcrypt hash of a random text that nobody knows, for a file without users. */
const nobody = '$2y$10$8K1p/a0dL1LXMIgoEDFrwOfMQhJk1yS6XGOLwb1o0Y6Jx0wqv1Z1e';
const rememberedLogins = 256;

/**
 * Verifies logins against the users that `users()` gives at that moment.
 *
 * An unknown user costs as much as a wrong password, so that time does not tell who exists. Right
 * logins are remembered under a keyed hash (the newest 256): clients send the password with
 * every request, and bcrypt takes 50 ms and more. The hash covers the stored one, so a changed
 * password counts at once. Equal logins at the same time share one bcrypt.
 */
export function htpasswdVerifier(
  users: () => Htpasswd,
  isBehind: PasswordCheck = compare,
): LoginVerifier {
  const key = randomBytes(32);
  const remembered = new Set<string>();
  const flights = new SingleFlight<boolean>();

  const check = async (stored: string | undefined, login: string, password: Secret) => {
    // Another user's hash has the number of rounds that this file is written with.
    const [anyHash = nobody] = users().values();
    const matches = await isBehind(password.reveal(), stored ?? anyHash);
    if (!matches || stored === undefined) return false;
    remember(remembered, login);
    return true;
  };
  return {
    async verify(username, password) {
      const stored = users().get(username);
      const login = keyedHash(key, [username, stored ?? '', password.reveal()]);
      if (remembered.has(login)) return true;
      return flights.run(login, () => check(stored, login, password));
    },
  };
}

function keyedHash(key: Buffer, parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  return createHmac('sha256', key).update(text).digest('base64');
}

function remember(logins: Set<string>, login: string): void {
  logins.add(login);
  const [oldest] = logins;
  if (logins.size > rememberedLogins && oldest !== undefined) logins.delete(oldest);
}
