import { z } from 'zod';
import { systemCode } from '../shared/errors.ts';
import { readInputFile } from '../shared/input-file.ts';
import type { Run } from '../shared/run.ts';
import { Secret } from '../shared/secret.ts';
import type { CredentialHelper } from './credential-helper.ts';
import { DockerConfigInvalid } from './errors.ts';
import type { Credential, CredentialSource } from './ports.ts';
import { candidateKeys, normalizeKey } from './registry-key.ts';

/** Login files hold a few dozen logins. */
const maxBytes = 16 * 1024 * 1024;

const AuthEntry = z.looseObject({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  identitytoken: z.string().optional(),
});
type AuthEntry = z.infer<typeof AuthEntry>;

/**
 * What `docker login`, `podman login` and the like keep.
 * https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md
 */
const DockerConfig = z.looseObject({
  auths: z.record(z.string(), AuthEntry).nullish(),
  credHelpers: z.record(z.string(), z.string()).nullish(),
  credsStore: z.string().nullish(),
});

/** Logins of one file, keys normalised: `https://index.docker.io/v1/` is `docker.io`. */
export interface DockerLogins {
  readonly path: string;
  readonly entries: ReadonlyMap<string, Credential>;
  /** Normalised registry → helper's name, and the name of the helper for all others. */
  readonly helpers: ReadonlyMap<string, string>;
  readonly store: string | undefined;
}

/**
 * Reads `~/.docker/config.json` or `auth.json`. DOCKER_CONFIG_INVALID names the entry, never its
 * content. Entries without a login (`{}`, left by helpers) are dropped.
 */
export function parseDockerConfig(text: string, path: string): DockerLogins {
  const config = parseJson(text, path);
  const entries = new Map<string, Credential>();
  for (const [key, entry] of Object.entries(config.auths ?? {})) {
    const credential = credentialOf(entry, key, path);
    if (credential !== undefined) entries.set(normalizeKey(key), credential);
  }
  const helpers = Object.entries(config.credHelpers ?? {});
  return {
    path,
    entries,
    helpers: new Map(helpers.map(([key, name]) => [normalizeKey(key), name])),
    store: config.credsStore === '' ? undefined : (config.credsStore ?? undefined),
  };
}

/**
 * Looks logins up in one file, in docker's and podman's order: the registry's own helper, the
 * store for all, then the entry with the longest matching path. The file is read again at each
 * lookup, so a `docker login` during a long run counts. A missing file is an empty one, unless
 * `required`. DOCKER_CONFIG_INVALID, CREDENTIAL_HELPER_MISSING, CREDENTIAL_HELPER_FAILED.
 */
export function dockerConfigCredentials(
  path: string,
  helper: CredentialHelper,
  options: { readonly required: boolean } = { required: false },
): CredentialSource {
  return {
    async credentialFor(registry, run) {
      const text = await readConfig(path, options.required);
      if (text === undefined) return undefined;
      return findLogin(parseDockerConfig(text, path), registry, helper, run);
    },
  };
}

async function findLogin(
  logins: DockerLogins,
  registry: string,
  helper: CredentialHelper,
  run: Run,
): Promise<Credential | undefined> {
  const keys = candidateKeys(registry);
  for (const key of keys) {
    const name = logins.helpers.get(key);
    const found = name === undefined ? undefined : await helper.get(name, key, run);
    if (found !== undefined) return found;
  }
  const host = keys.at(-1) ?? registry;
  const stored = logins.store && (await helper.get(logins.store, host, run));
  if (stored) return stored;
  const key = keys.find((candidate) => logins.entries.has(candidate));
  return key === undefined ? undefined : logins.entries.get(key);
}

async function readConfig(path: string, required: boolean): Promise<string | undefined> {
  try {
    return (await readInputFile(path, maxBytes)).toString('utf8');
  } catch (cause) {
    if (!required && ['ENOENT', 'ENOTDIR'].includes(systemCode(cause) ?? '')) return undefined;
    throw new DockerConfigInvalid({ path, because: 'it cannot be read' }, { cause });
  }
}

function parseJson(text: string, path: string): z.infer<typeof DockerConfig> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // No cause: the parser's message quotes the text, which holds passwords.
    throw new DockerConfigInvalid({ path, because: 'it is not JSON' });
  }
  const parsed = DockerConfig.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? 'the file' : issue.path.join('.');
  throw new DockerConfigInvalid({ path, because: `${at} has the wrong type` });
}

function credentialOf(entry: AuthEntry, key: string, path: string): Credential | undefined {
  if (entry.identitytoken) {
    return { kind: 'identity-token', token: new Secret(entry.identitytoken) };
  }
  if (entry.auth) return decodeAuth(entry.auth, key, path);
  if (!entry.username) return undefined;
  return {
    kind: 'password',
    username: entry.username,
    password: new Secret(entry.password ?? ''),
  };
}

function decodeAuth(auth: string, key: string, path: string): Credential {
  const clear = Buffer.from(auth, 'base64').toString('utf8');
  const colon = clear.indexOf(':');
  if (colon < 1) {
    const because = `auths["${key}"].auth is not base64 of USER:PASSWORD`;
    throw new DockerConfigInvalid({ path, because });
  }
  // Old versions of docker padded the password with zero bytes.
  const password = new Secret(clear.slice(colon + 1).replace(/\0+$/, ''));
  return { kind: 'password', username: clear.slice(0, colon), password };
}
