/** The files of a folder that could say where a runtime pulls from, told by their endings alone. */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../shared/errors.ts';
import { compareText } from '../../shared/json.ts';

/** Deeper than any configuration: `certs.d/docker.io/hosts.toml` below the folder. */
const deepest = 3;

/** Certificates and notes beside it say nothing about whose configuration it is. */
export function isConfigurationName(name: string): boolean {
  return /\.(?:toml|ya?ml|conf|json)$/.test(name);
}

/**
 * Their paths from the folder, sorted by folder: `['docker.io/hosts.toml', 'notes.yaml']`. Links are followed,
 * hidden names left out. Rejects with the system's error for a folder that cannot be read.
 */
export async function configurationBelow(folder: string, depth = 1): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of (await readdir(folder)).sort(compareText)) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    if (!(await isFolder(path))) names.push(...[name].filter(isConfigurationName));
    else if (depth < deepest) {
      names.push(...(await configurationBelow(path, depth + 1)).map((below) => `${name}/${below}`));
    }
  }
  return names;
}

/** A link that leads nowhere is left to whoever reads it. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
