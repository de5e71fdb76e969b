/** How a node logs in to a place: the login files of root's programs, or the one that CRI-O is told. */

import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { HUB, HUB_HOST, HUB_INDEX } from '../../../oci/docker-hub.ts';
import { type Reference, repositoryName } from '../../../oci/reference.ts';
import { Secret } from '../../../shared/secret.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Origin } from '../../finding.ts';
import { compareBytes } from '../../go/byte-order.ts';
import { decodeGoBase64 } from '../../go/go-base64.ts';
import { goReadError } from '../../go/go-file-error.ts';
import type { ConfiguredLogin, LoginProgram } from '../../pull-chain.ts';
import { wrongTypeIn } from './auth-shape.ts';
import { AUTH_FILES } from './registries-config.ts';

/** A file with logins; the old format has no `auths` around them. */
export interface AuthFile {
  readonly path: string;
  readonly isOldFormat: boolean;
}

/** The files in the order in which they are looked at. Source: pkg/docker/config, getAuthFilePaths. */
export const rootAuthFiles: readonly AuthFile[] = [
  { path: '/run/containers/0/auth.json', isOldFormat: false },
  { path: '/root/.config/containers/auth.json', isOldFormat: false },
  { path: '/root/.docker/config.json', isOldFormat: false },
  { path: '/root/.dockercfg', isOldFormat: true },
];

/** What decides about logins on one node. */
export interface AuthSource {
  readonly tree: ConfigTree;
  readonly files: readonly AuthFile[];
  /** From registries.conf, in order; all but the login files are programs that nobody runs here. */
  readonly helpers: readonly string[];
  /** The file that names the helpers. */
  readonly origin: Origin;
}

/**
 * The login for a place, or why the place cannot be asked. The `programs` are asked before: what they
 * answer is not known here, and a login of theirs comes first.
 */
export type FoundLogin =
  | {
      readonly kind: 'login';
      readonly login: ConfiguredLogin;
      readonly programs: readonly LoginProgram[];
    }
  | { readonly kind: 'none'; readonly programs: readonly LoginProgram[] }
  | { readonly kind: 'failed'; readonly error: string; readonly origin: Origin };

/**
 * The login for a name at its place: the longest key of `auths` that the name starts with, file by
 * file. Source: go.podman.io/image/v5 v5.38.0, pkg/docker/config, GetCredentialsForRef.
 */
export async function loginFor(reference: Reference, source: AuthSource): Promise<FoundLogin> {
  const programs: LoginProgram[] = [];
  for (const helper of source.helpers) {
    if (helper !== AUTH_FILES) {
      programs.push({ program: programOf(helper), origin: source.origin });
      continue;
    }
    const found = await lookInFiles(reference, source);
    if (found.kind === 'failed') return found;
    programs.push(...found.programs);
    if (found.kind === 'login') return { ...found, programs };
  }
  return { kind: 'none', programs };
}

function programOf(helper: string): string {
  return `docker-credential-${helper}`;
}

async function lookInFiles(
  reference: Reference,
  { tree, files }: Pick<AuthSource, 'tree' | 'files'>,
): Promise<FoundLogin> {
  const programs: LoginProgram[] = [];
  for (const file of files) {
    const entry = await tree.read(file.path);
    if (entry.kind === 'missing') continue;
    if (entry.kind !== 'file') {
      const error = `reading JSON file ${quoteGo(file.path)}: ${goReadError(file.path, entry)}`;
      return { kind: 'failed', error, origin: { file: file.path } };
    }
    const found = findIn(Buffer.from(entry.bytes).toString('utf8'), file, reference);
    if (found.kind === 'failed') return found;
    programs.push(...found.programs);
    if (found.kind === 'login') return { ...found, programs };
  }
  return { kind: 'none', programs };
}

function findIn(text: string, file: AuthFile, reference: Reference): FoundLogin {
  const parsed = parseObject(text, file);
  const whole = { file: file.path };
  if (typeof parsed === 'string') {
    const path = quoteGo(file.path);
    const error = `reading JSON file ${path}: unmarshaling JSON at ${path}: ${parsed}`;
    return { kind: 'failed', error, origin: whole };
  }
  const helper = file.isOldFormat ? undefined : objectAt(parsed, 'credHelpers')[reference.domain];
  if (typeof helper === 'string') {
    const origin = originOf(text, reference.domain, file);
    return { kind: 'none', programs: [{ program: programOf(helper), origin }] };
  }
  const auths = file.isOldFormat ? parsed : objectAt(parsed, 'auths');
  const key = keyFor(Object.keys(auths), reference, file);
  if (key === undefined) return { kind: 'none', programs: [] };
  return decodeLogin(auths[key], originOf(text, key, file));
}

/** What a mapping of JSON is read as. */
export type JsonObject = { readonly [key: string]: unknown };

function parseObject(text: string, { isOldFormat }: AuthFile): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    const wrong = wrongTypeIn(value, isOldFormat);
    if (wrong !== undefined) return wrong;
    return isJsonObject(value) ? value : {};
  } catch (error) {
    return error instanceof SyntaxError ? error.message.replaceAll(/"[^"]*"/g, '…') : String(error);
  }
}

/** A mapping, and no list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Go takes the names of fields in any letter case. */
function objectAt(parent: JsonObject, name: string): JsonObject {
  const value = fieldOf(parent, name);
  return isJsonObject(value) ? value : {};
}

function fieldOf(parent: JsonObject, name: string): unknown {
  const lower = name.toLowerCase();
  const key = Object.keys(parent).findLast((one) => one.toLowerCase() === lower);
  return key === undefined ? undefined : parent[key];
}

function keyFor(
  keys: readonly string[],
  reference: Reference,
  { isOldFormat }: AuthFile,
): string | undefined {
  const parts = repositoryName(reference).split('/');
  const wanted = isOldFormat
    ? [reference.domain]
    : parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  const exact = wanted.find((name) => keys.includes(name));
  if (exact !== undefined) return exact;
  const registry = withoutHubNames(reference.domain);
  return keys.toSorted(compareBytes).find((key) => hostOfKey(key, isOldFormat) === registry);
}

function hostOfKey(key: string, isOldFormat: boolean): string {
  const stripped = key.replace(/^http:\/\//, '').replace(/^https:\/\//, '');
  const [host = ''] = isOldFormat || stripped !== key ? stripped.split('/') : [stripped];
  return withoutHubNames(host);
}

function withoutHubNames(host: string): string {
  return host === HUB || host === HUB_HOST ? HUB_INDEX : host;
}

/** An entry without a colon is passed over, as Docker does. */
function decodeLogin(entry: unknown, origin: Origin): FoundLogin {
  const auth = isJsonObject(entry) ? fieldOf(entry, 'auth') : undefined;
  const found = decodeGoBase64(typeof auth === 'string' ? auth : '');
  if (!found.ok) return { kind: 'failed', error: found.reason, origin };
  const decoded = found.bytes.toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon === -1 || decoded === ':') return { kind: 'none', programs: [] };
  const password = decoded.slice(colon + 1).replaceAll(/^\0+|\0+$/g, '');
  const login = { username: decoded.slice(0, colon), secret: new Secret(password), origin };
  return { kind: 'login', login, programs: [] };
}

function originOf(text: string, key: string, { path }: AuthFile): Origin {
  const at = text.indexOf(JSON.stringify(key));
  if (at === -1) return { file: path };
  const before = text.slice(0, at).split('\n');
  return { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
