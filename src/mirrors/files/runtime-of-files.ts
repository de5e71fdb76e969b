import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeName } from '../../site/runtime-id.ts';
import { configurationBelow, isConfigurationName } from './configuration-below.ts';
import { recogniseFile } from './file-kind.ts';
import { runtimeFor } from './place-file.ts';

/**
 * The runtime that a file or a folder of configuration is for, by its names and texts:
 * `/tmp/registries.yaml` → k3s, `/tmp/certs.d` → containerd. Undefined for the root of a node, and where
 * nothing is recognised.
 */
export async function runtimeOfFiles(path: string): Promise<RuntimeName | undefined> {
  if (!(await stat(path)).isDirectory()) return runtimeOfFile(path);
  if ((await readdir(path)).includes('etc')) return undefined;
  for (const name of await configurationBelow(path)) {
    const found = await runtimeOfFile(join(path, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function runtimeOfFile(path: string): Promise<RuntimeName | undefined> {
  if (!isConfigurationName(path)) return undefined;
  const kind = recogniseFile(path, await readFile(path, 'utf8'))?.kind;
  return kind === undefined ? undefined : runtimeFor(kind, path, undefined);
}
