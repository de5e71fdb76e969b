import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFileUnusable, systemCode } from '../shared/errors.ts';
import { readInputFile } from '../shared/input-file.ts';
import type { Run } from '../shared/run.ts';
import { Secret } from '../shared/secret.ts';
import { CredentialFileInvalid } from './errors.ts';
import type { Credential, CredentialSource } from './ports.ts';

type Fields = ReadonlyMap<string, string>;

const JsonFields = z.record(z.string(), z.string());
/** Tokens of cloud registries have some thousand bytes. */
const maxBytes = 64 * 1024;
const known = ['username', 'password', 'token', 'registry'];

/**
 * The login that a document names by reference (`credentials: {file: secrets/harbor}`), for
 * whichever registry it is asked.
 *
 * A file holds `username=…` and `password=…` (or `token=…`), one a line, with `=` or `: `, or the
 * same as JSON; a folder holds files of these names, as Kubernetes mounts a Secret. Read again at
 * each lookup, so a rotated password counts. CREDENTIAL_FILE_INVALID never shows a value. A
 * file that everybody may read is used, with a note.
 */
export function fileCredentials(path: string): CredentialSource {
  let isSaid = false;
  const warnOnce = async (secretFile: string, run: Run) => {
    if (isSaid || !(await isOpenToAll(secretFile))) return;
    isSaid = true;
    run.note(`${secretFile} can be read by others: chmod 600 ${secretFile}`);
  };
  return { credentialFor: (_registry, run) => readCredential(path, warnOnce, run) };
}

async function readCredential(
  path: string,
  warnOnce: (secretFile: string, run: Run) => Promise<void>,
  run: Run,
): Promise<Credential> {
  try {
    const found = await stat(path);
    const fields = found.isDirectory() ? await readFolder(path) : await readFields(path);
    const secretFile = found.isDirectory() ? join(path, secretName(fields)) : path;
    await warnOnce(secretFile, run);
    return credentialOf(fields, path);
  } catch (cause) {
    const isKnown = cause instanceof InputFileUnusable || systemCode(cause) !== undefined;
    if (!isKnown || cause instanceof CredentialFileInvalid) throw cause;
    throw new CredentialFileInvalid({ path, because: 'it cannot be read' }, { cause });
  }
}

function credentialOf(fields: Fields, path: string): Credential {
  const [username, password, token] = known.map((name) => fields.get(name) || undefined);
  if (token !== undefined && password === undefined) {
    return { kind: 'identity-token', token: new Secret(token) };
  }
  if (username === undefined) throw new CredentialFileInvalid({ path, because: 'no username' });
  if (password === undefined) throw new CredentialFileInvalid({ path, because: 'no password' });
  return { kind: 'password', username, password: new Secret(password) };
}

function secretName(fields: Fields): string {
  return fields.has('password') || !fields.has('token') ? 'password' : 'token';
}

async function readFolder(path: string): Promise<Fields> {
  const fields = new Map<string, string>();
  for (const name of known) {
    const value = await readOptional(join(path, name));
    // Editors end a file with a line break; a password never does.
    if (value !== undefined) fields.set(name, value.replace(/\r?\n$/, ''));
  }
  return fields;
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return (await readInputFile(path, maxBytes)).toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function readFields(path: string): Promise<Fields> {
  const text = (await readInputFile(path, maxBytes)).toString('utf8');
  return text.trimStart().startsWith('{') ? parseJsonFields(text, path) : parseLines(text, path);
}

function parseLines(text: string, path: string): Fields {
  const fields = new Map<string, string>();
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    if (raw.trim() === '' || raw.trimStart().startsWith('#')) continue;
    const [, name = '', value = ''] = /^\s*([a-z]+)\s*(?:=|:\s)(.*)$/.exec(raw) ?? [];
    if (!known.includes(name)) {
      const because = `line ${index + 1} is not one of ${known.join(', ')} with its value`;
      throw new CredentialFileInvalid({ path, because });
    }
    fields.set(name, unquoted(value.trim()));
  }
  return fields;
}

function unquoted(value: string): string {
  return /^"(.*)"$/.exec(value)?.[1] ?? /^'(.*)'$/.exec(value)?.[1] ?? value;
}

function parseJsonFields(text: string, path: string): Fields {
  try {
    return new Map(Object.entries(JsonFields.parse(JSON.parse(text))));
  } catch {
    // No cause: the parser's message quotes the text, which holds the password.
    throw new CredentialFileInvalid({
      path,
      because: 'it starts like JSON but is not an object of texts',
    });
  }
}

async function isOpenToAll(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o004) !== 0;
}
