/** The main configuration of containerd with everything that it imports, in the order of merging. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import { tomlPosition } from '../../../documents/toml-places.ts';
import type { TomlScan } from '../../../documents/toml-scan.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { ConfigSchema } from '../../containerd-version/config-schema.ts';
import { decodeGoToml } from '../../containerd-version/go-toml.ts';
import type { Origin } from '../../finding.ts';
import { goReason } from '../../go/go-file-error.ts';
import { globPaths, isBadPattern } from '../../go/go-glob.ts';
import { cleanPath, joinPath } from '../../go/go-path.ts';
import { decodeTable, GoTypeFault, hasPlaceFor } from '../../go/go-types.ts';

/** One file that was read; `version` is 0 when it names none. */
export interface ConfigFile {
  readonly path: string;
  readonly version: number;
  /** Its known keys, each of its right type; what stands below `plugins` is as written. */
  readonly value: TomlTable;
  readonly scan: TomlScan;
}

/** The files, the main one first; or why containerd does not start with them. */
export type ConfigFiles =
  | {
      readonly kind: 'loaded';
      readonly files: readonly ConfigFile[];
      readonly schema: ConfigSchema;
    }
  | { readonly kind: 'refused'; readonly error: string; readonly origin: Origin };

class ConfigRefused extends Error {
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
  const schema = await behaviour.configSchema();
  const files = new Map<string, ConfigFile>();
  try {
    const pending = (await tree.read(path)).kind === 'missing' ? [] : [path];
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      if (files.has(next)) continue;
      const file = await loadFile(tree, next, { behaviour, schema });
      checkVersion(file, rootVersionOf(files) ?? file.version, behaviour);
      files.set(next, file);
      pending.push(...(await importsOf(tree, file)));
    }
  } catch (error) {
    if (!(error instanceof ConfigRefused)) throw error;
    return { kind: 'refused', error: error.message, origin: error.origin };
  }
  return { kind: 'loaded', files: [...files.values()], schema };
}

/** The first version that any file names, the main one first. */
function rootVersionOf(files: ReadonlyMap<string, ConfigFile>): number | undefined {
  return files.values().find(({ version }) => version !== 0)?.version;
}

interface Reading {
  readonly behaviour: ContainerdBehaviour;
  readonly schema: ConfigSchema;
}

async function loadFile(
  tree: ConfigTree,
  path: string,
  { behaviour, schema }: Reading,
): Promise<ConfigFile> {
  const decoded = decodeGoToml(await bytesOf(tree, path), behaviour, (key) =>
    hasPlaceFor(schema.keys, key),
  );
  if (!decoded.ok) {
    const { ok: _, kind: __, reason, ...place } = decoded;
    const error = `failed to unmarshal TOML at row ${place.line}: ${reason}`;
    throw new ConfigRefused(error, { file: path, ...place });
  }
  const { scan } = decoded;
  try {
    const isStrict = behaviour.has('go-toml-2');
    const value = decodeTable(decoded.value, schema.keys, { isStrict });
    const { version } = value;
    return { path, version: typeof version === 'number' ? version : 0, value, scan };
  } catch (error) {
    if (!(error instanceof GoTypeFault)) throw error;
    const message = `failed to unmarshal TOML: ${error.message}`;
    throw new ConfigRefused(message, placeOf({ path, scan }, error.path));
  }
}

async function bytesOf(tree: ConfigTree, path: string): Promise<Uint8Array> {
  const entry = await tree.read(path);
  if (entry.kind === 'file') return entry.bytes;
  throw new ConfigRefused(`failed to load TOML: open ${path}: ${goReason(entry)}`, { file: path });
}

/** The file, with the line and column of a key if it has one. */
export function placeOf(
  { path: file, scan }: Pick<ConfigFile, 'path' | 'scan'>,
  key: readonly string[],
): Origin {
  return { file, ...tomlPosition(scan, key) };
}

/** The newest version of the main configuration that this containerd reads. */
export function newestConfigVersion(behaviour: ContainerdBehaviour): number {
  if (behaviour.has('config-version-4')) return 4;
  return behaviour.has('config-version-3') ? 3 : 2;
}

function checkVersion(file: ConfigFile, rootVersion: number, behaviour: ContainerdBehaviour): void {
  const newest = newestConfigVersion(behaviour);
  const origin = placeOf(file, ['version']);
  if (file.version < 0 && behaviour.has('config-version-3')) {
    throw new ConfigRefused(`panic: there is no config version \`${file.version}\``, origin);
  }
  if (file.version > newest) {
    const error = behaviour.has('config-version-3')
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
  const found: string[] = [];
  for (const pattern of textsOf(file.value['imports'])) {
    const path = pattern.startsWith('/') ? cleanPath(pattern) : joinPath(file.path, '..', pattern);
    if (path.includes('*')) {
      // Go calls a bracket that nothing closes a bad pattern, and containerd does not start with it.
      if (isBadPattern(path)) {
        throw new ConfigRefused(`syntax error in pattern ${path}`, placeOf(file, ['imports']));
      }
      found.push(...(await globPaths(tree, path)));
    } else found.push(path);
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
