import { hash } from 'bcryptjs';

/** The file that `htpasswd -B` writes: `await htpasswdOf({ ann: 'secret' })`; 2^4 iterations unless told otherwise. */
export async function htpasswdOf(
  users: Readonly<Record<string, string>>,
  rounds = 4,
): Promise<string> {
  const lines = Object.entries(users).map(async ([name, password]) => {
    const digest = await hash(password, rounds);
    return `${name}:${digest.replace(/^\$2.\$/, '$2y$')}\n`;
  });
  return (await Promise.all(lines)).join('');
}
