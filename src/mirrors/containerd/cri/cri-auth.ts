/** The credentials that the CRI plugin's own configuration holds for a host. */

import { isTomlTable, type TomlTable } from '../../../documents/toml.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import { Secret } from '../../../shared/secret.ts';
import { decodeGoBase64 } from '../../go/go-base64.ts';

/** A user name (empty for an identity token) and its secret. */
export interface CriLogin {
  readonly username: string;
  readonly secret: Secret;
}

/** A login, none, or why the setting fails every pull that needs it. */
export type CriAuth =
  | { readonly kind: 'login'; readonly login: CriLogin }
  | { readonly kind: 'none' }
  | { readonly kind: 'bad'; readonly error: string };

/**
 * Reads an `auth` table as the plugin does when `host` asks for credentials.
 *
 * `{ username, password }`, `{ identitytoken }` or `{ auth: base64 of user:password }`; with a
 * `serveraddress` of another host there is none.
 */
export function readCriAuth(auth: TomlTable | undefined, host: string): CriAuth {
  const text = (key: string) => (typeof auth?.[key] === 'string' ? auth[key] : '');
  const server = text('serveraddress');
  if (server !== '') {
    const parsed = parseGoUrl(server);
    if (!parsed.ok) return { kind: 'bad', error: `parse server address: ${parsed.reason}` };
    if (parsed.url.host !== host) return { kind: 'none' };
  }
  if (text('username') !== '') return login(text('username'), text('password'));
  if (text('identitytoken') !== '') return login('', text('identitytoken'));
  return text('auth') === '' ? { kind: 'none' } : decode(text('auth'));
}

function login(username: string, secret: string): CriAuth {
  return { kind: 'login', login: { username, secret: new Secret(secret) } };
}

function decode(auth: string): CriAuth {
  const found = decodeGoBase64(auth);
  if (!found.ok) return { kind: 'bad', error: found.reason };
  const decoded = found.bytes.toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon === -1) return { kind: 'bad', error: 'auth is not the base64 of user:password' };
  return login(decoded.slice(0, colon), decoded.slice(colon + 1).replaceAll(/^\0+|\0+$/g, ''));
}

/**
 * `registry.configs` with the deprecated `registry.auths` put in under their hosts:
 * `auths."https://gcr.io"` → the key `gcr.io`.
 */
export function registryConfigs(registry: TomlTable): TomlTable {
  const { configs, auths } = registry;
  const all: Record<string, TomlTable> = {};
  for (const [key, config] of Object.entries(isTomlTable(configs) ? configs : {})) {
    if (isTomlTable(config)) all[key] = config;
  }
  for (const [endpoint, auth] of Object.entries(isTomlTable(auths) ? auths : {})) {
    const parsed = parseGoUrl(endpoint);
    const key = parsed.ok && parsed.url.scheme !== '' ? parsed.url.host : endpoint;
    all[key] = { ...all[key], auth };
  }
  return all;
}
