/** The main configuration of containerd with everything that it imports, in the order of merging. */

import { isTomlTable, parseToml, type TomlTable, type TomlValue } from '../../documents/toml.ts';
import { scanToml, type TomlScan } from '../../documents/toml-headers.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { Origin } from '../finding.ts';
import type { ContainerdBehaviour } from './behaviour.ts';
import { cleanPath, joinPath } from './go-path.ts';

/** One file that was read; `version` is 0 when it names none. */
export interface ConfigFile {
  readonly path: string;
  readonly version: number;
  readonly value: TomlTable;
  readonly scan: TomlScan;
}

/** The files, the main one first; or why containerd does not start with them. */
export type ConfigFiles =
  | { readonly kind: 'loaded'; readonly files: readonly ConfigFile[] }
  | { readonly kind: 'refused'; readonly error: string; readonly origin: Origin };

/** Thrown inside this area when containerd would not start. */
export class ConfigRefused extends Error {
  readonly origin: Origin;

  constructor(message: string, origin: Origin) {
    super(message);
    this.origin = origin;
  }
}

/**
 * Reads `path` and its `imports` (globs, relative to the file that names them), each file once.
 * A missing main file is none at all; a missing import without a `*` keeps containerd from starting.
 */
export async function loadConfigFiles(
  tree: ConfigTree,
  path: string,
  behaviour: ContainerdBehaviour,
): Promise<ConfigFiles> {
  const files = new Map<string, ConfigFile>();
  try {
    const pending = (await tree.read(path)).kind === 'missing' ? [] : [path];
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      if (files.has(next)) continue;
      const file = await loadFile(tree, next);
      checkVersion(file, files.get(path)?.version ?? file.version, behaviour);
      files.set(next, file);
      pending.push(...(await importsOf(tree, file)));
    }
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error;
    return { kind: 'refused', error: error.message, origin: error.origin };
  }
  return { kind: 'loaded', files: [...files.values()] };
}

async function loadFile(tree: ConfigTree, path: string): Promise<ConfigFile> {
  const entry = await tree.read(path);
  if (entry.kind !== 'file') {
    const reason = {
      missing: 'no such file or directory',
      folder: 'is a directory',
      unreadable: '',
    };
    const detail = entry.kind === 'unreadable' ? entry.reason : reason[entry.kind];
    throw new ConfigRefused(`failed to load TOML: open ${path}: ${detail}`, { file: path });
  }
  const text = Buffer.from(entry.bytes).toString('utf8');
  const parsed = parseToml(text, path);
  if (!parsed.ok) {
    const { line, column, message } = parsed.problem;
    const error = `failed to unmarshal TOML at row ${line} column ${column}: ${message}`;
    throw new ConfigRefused(error, { file: path, line });
  }
  const { version = 0 } = parsed.value;
  return {
    path,
    version: typeof version === 'number' ? version : 0,
    value: parsed.value,
    scan: scanToml(text),
  };
}

/** The newest version of the main configuration that this containerd reads. */
export function newestConfigVersion(behaviour: ContainerdBehaviour): number {
  if (behaviour.has('config-version-4')) return 4;
  return behaviour.has('images-plugin') ? 3 : 2;
}

function checkVersion(file: ConfigFile, rootVersion: number, behaviour: ContainerdBehaviour): void {
  const newest = newestConfigVersion(behaviour);
  const line = file.scan.keys.find(({ path }) => path.length === 1 && path[0] === 'version')?.line;
  const origin = line === undefined ? { file: file.path } : { file: file.path, line };
  if (file.version > newest) {
    const error = behaviour.has('images-plugin')
      ? `expected containerd config version equal to or less than \`${newest}\`, got \`${file.version}\``
      : `unsupported config version \`${file.version}\``;
    throw new ConfigRefused(`failed to load TOML from ${file.path}: ${error}`, origin);
  }
  if (file.version > rootVersion && rootVersion > 0 && behaviour.has('drop-in-not-newer')) {
    const error = `drop-in config version ${file.version} higher than root config version ${rootVersion}`;
    throw new ConfigRefused(error, origin);
  }
}

async function importsOf(tree: ConfigTree, file: ConfigFile): Promise<readonly string[]> {
  const { imports } = file.value;
  const found: string[] = [];
  for (const pattern of textsOf(imports)) {
    const path = pattern.startsWith('/') ? cleanPath(pattern) : joinPath(file.path, '..', pattern);
    if (path.includes('*')) found.push(...(await glob(tree, path)));
    else found.push(path);
  }
  return found;
}

/** The items of a list that are text; nothing for any other value. */
export function textsOf(value: TomlValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The value at a path of tables, or undefined. */
export function valueAt(
  value: TomlValue | undefined,
  path: readonly string[],
): TomlValue | undefined {
  return path.reduce<TomlValue | undefined>(
    (at, key) => (isTomlTable(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    value,
  );
}

/** filepath.Glob below an absolute path: sorted by folder, then by name; missing folders match nothing. */
async function glob(tree: ConfigTree, pattern: string): Promise<readonly string[]> {
  let found = ['/'];
  for (const part of pattern.split('/').filter((name) => name !== '')) {
    const next: string[] = [];
    for (const folder of found) next.push(...(await matchIn(tree, folder, part)));
    found = next;
  }
  return found;
}

async function matchIn(tree: ConfigTree, folder: string, part: string): Promise<readonly string[]> {
  if (!/[*?[]/.test(part)) {
    const path = joinPath(folder, part);
    return (await tree.read(path)).kind === 'missing' ? [] : [path];
  }
  const expression = globExpression(part);
  const names = (await tree.list(folder)).map(({ name }) => name);
  return names.filter((name) => expression.test(name)).map((name) => joinPath(folder, name));
}

function globExpression(part: string): RegExp {
  const tokens = part.matchAll(/\[\^?[^\]]+\]|\\?[\s\S]/g);
  const source = Array.from(tokens, ([token]) => {
    if (token === '*') return '.*';
    if (token === '?') return '.';
    return token.length > 1 && token.startsWith('[')
      ? token
      : RegExp.escape(token.replace(/^\\/, ''));
  });
  return new RegExp(`^${source.join('')}$`, 's');
}
