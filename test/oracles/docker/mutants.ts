/** Mistakes of our simulator, each one changed text in a copy: the comparison with Docker must see each. */

import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const project = new URL('../../../', import.meta.url).pathname;
const needed = ['src', 'data', 'package.json', 'test/oracles/docker'];

/** A text of a file below src/mirrors/docker, and what a careless hand makes of it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'mirrors come after Docker Hub',
    file: 'walk/classic-endpoints.ts',
    from: '[...endpoints, hub]',
    to: '[hub, ...endpoints]',
  },
  {
    name: 'a mirror that is listed twice is asked twice',
    file: 'walk/docker-endpoint.ts',
    from: '!checked.ok || seen.has(checked.url)',
    to: '!checked.ok',
  },
  {
    name: 'networks do not count',
    file: 'read/insecure-registries.ts',
    from: 'return !addresses.some(',
    to: 'return addresses.length < 0 || !addresses.every(',
  },
  {
    name: 'a query in a mirror is let through',
    file: 'read/mirror-url.ts',
    from: 'if (/\\?[^#]|#./.test(text)) {',
    to: 'if (/#./.test(text)) {',
  },
  {
    name: '/v2 is doubled',
    file: 'walk/store-endpoints.ts',
    from: "path.endsWith('/v2') ? path : joinPath",
    to: "path === '/v2' ? path : joinPath",
  },
  {
    name: 'several hosts of hosts.toml do not settle it',
    file: 'walk/store-endpoints.ts',
    from: 'endpoints.length > 1 || !hasLegacySettings',
    to: '!hasLegacySettings',
  },
  {
    name: 'letter case of keys does not matter',
    file: 'lint/daemon-faults.ts',
    from: '!known.has(key) &&',
    to: '!known.has(key.toLowerCase()) &&',
  },
];

/** A copy of the project in `folder` with one fault. Rejects unless its text is there exactly once. */
export async function loadMutant(
  folder: string,
  { file, from, to }: Mutant,
): Promise<typeof import('./our-answer.ts')> {
  for (const path of needed) {
    await cp(join(project, path), join(folder, path), { recursive: true });
  }
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  const place = join(folder, 'src/mirrors/docker', file);
  const parts = (await readFile(place, 'utf8')).split(from);
  if (parts.length !== 2) {
    throw new Error(`${file} has ${parts.length - 1} times the text of a mutant: ${from}`);
  }
  await writeFile(place, parts.join(to));
  const url = pathToFileURL(join(folder, 'test/oracles/docker/our-answer.ts')).href;
  // The copy of a module has the same exports.
  return (await import(url)) as typeof import('./our-answer.ts');
}
