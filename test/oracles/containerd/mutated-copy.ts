import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './mutants.ts';

const project = new URL('../../../', import.meta.url).pathname;
/** What the simulator and the code that drives it here need. */
const needed = ['src', 'data', 'package.json', 'test/oracles/containerd'];

/** What drives a simulator. */
export type Simulator = typeof import('./our-answer.ts');

/**
 * A copy of the project in `folder` with one fault, loaded beside the real one. Rejects when the line
 * to be changed is not there exactly once.
 */
export async function loadMutant(folder: string, { file, from, to }: Mutant): Promise<Simulator> {
  for (const path of needed) {
    await cp(join(project, path), join(folder, path), { recursive: true });
  }
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  const place = join(folder, 'src/mirrors/hosts-toml', file);
  const parts = (await readFile(place, 'utf8')).split(from);
  if (parts.length !== 2) {
    throw new Error(`${file} has ${parts.length - 1} times the text of a mutant: ${from}`);
  }
  await writeFile(place, parts.join(to));
  const url = pathToFileURL(join(folder, 'test/oracles/containerd/our-answer.ts')).href;
  // The copy of a module has the same exports.
  return (await import(url)) as Simulator;
}
