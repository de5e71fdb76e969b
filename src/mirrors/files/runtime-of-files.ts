import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeName } from '../../site/runtime-id.ts';
import { configurationBelow, isConfigurationName } from './configuration-below.ts';
import { type FileFacts, loadFileFacts } from './file-facts.ts';
import { recogniseFile } from './file-kind.ts';
import { runtimeFor } from './place-file.ts';

/**
 * The runtime that a file or a folder of configuration is for, by its names and texts:
 * `/tmp/registries.yaml` → k3s, `/tmp/certs.d` → containerd. Undefined for the root of a node, and where
 * nothing is recognised.
 */
export async function runtimeOfFiles(path: string): Promise<RuntimeName | undefined> {
  const facts = await loadFileFacts();
  if (!(await stat(path)).isDirectory()) return runtimeOfFile(path, facts);
  if ((await readdir(path)).includes('etc')) return undefined;
  for (const name of await configurationBelow(path)) {
    const found = await runtimeOfFile(join(path, name), facts);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function runtimeOfFile(path: string, facts: FileFacts): Promise<RuntimeName | undefined> {
  if (!isConfigurationName(path)) return undefined;
  const found = recogniseFile(path, await readFile(path, 'utf8'), facts);
  return found === undefined ? undefined : runtimeFor(found, path, undefined);
}
