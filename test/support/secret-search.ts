/** Looks for a password in everything that a run leaves behind. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A login whose password must not be seen, in any form. */
export interface HiddenLogin {
  readonly username: string;
  readonly password: string;
}

/** Fails if a text holds the password, as it is, in a URL, in JSON or in base64; `where` is for the message. */
export function refuseLogin(login: HiddenLogin, text: string, where: string): void {
  for (const [form, value] of formsOf(login)) {
    const at = text.indexOf(value);
    const around = text.slice(Math.max(0, at - 120), at + value.length + 120);
    assert.equal(at, -1, `the password is in ${where}, ${form}: …${around}…`);
  }
}

/** The same for every file below a folder but those that are meant to hold it. */
export async function refuseLoginBelow(
  login: HiddenLogin,
  folder: string,
  meant: readonly string[],
): Promise<readonly string[]> {
  const looked: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (!entry.isFile() || meant.includes(name)) continue;
    refuseLogin(login, (await readFile(path)).toString('latin1'), name);
    looked.push(name);
  }
  return looked;
}

function formsOf({ username, password }: HiddenLogin): ReadonlyArray<readonly [string, string]> {
  const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
  return [
    ['as it is', password],
    ['in a URL', encodeURIComponent(password)],
    ['in JSON', JSON.stringify(password).slice(1, -1)],
    ['in base64', base64(password)],
    ['as Basic', base64(`${username}:${password}`)],
    ['in base64url', Buffer.from(`${username}:${password}`).toString('base64url')],
  ];
}
