import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeName } from '../../site/runtime-id.ts';
import { recogniseFile, runtimesOf } from './file-kind.ts';

/** Files of configuration lie at most so deep below the folder that is named. */
const deepest = 3;

/**
 * The runtime that a file or a folder of configuration is for, by its names and texts:
 * `/tmp/registries.yaml` → k3s, `/tmp/certs.d` → containerd. Undefined for the root of a node, and where
 * nothing is recognised.
 */
export async function runtimeOfFiles(path: string, depth = 0): Promise<RuntimeName | undefined> {
  if (!(await stat(path)).isDirectory()) return runtimeOfFile(path);
  const names = (await readdir(path)).filter((name) => !name.startsWith('.')).sort();
  if (depth >= deepest || (depth === 0 && names.includes('etc'))) return undefined;
  for (const name of names) {
    const found = await runtimeOfFiles(join(path, name), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function runtimeOfFile(path: string): Promise<RuntimeName | undefined> {
  if (!/\.(?:toml|ya?ml|conf|json)$/.test(path)) return undefined;
  const kind = recogniseFile(path, await readFile(path, 'utf8'))?.kind;
  return kind === undefined ? undefined : runtimesOf(kind)[0];
}
