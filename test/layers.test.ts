import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path';
import test from 'node:test';

const root = new URL('..', import.meta.url).pathname;

/** The map of docs/style.md as data: level, folder, and the npm packages it may use. */
const layers: ReadonlyArray<readonly [level: number, folder: string, packages: readonly string[]]> =
  [
    [0, 'shared', []],
    [1, 'oci', ['zod']],
    [1, 'documents', ['yaml', 'smol-toml', 'zod', 'ajv']],
    [2, 'content', []],
    [2, 'trust', ['@sigstore/', '@peculiar/x509', 'reflect-metadata', 'bcryptjs', 'zod']],
    [3, 'registry/client', ['undici', 'zod']],
    [3, 'registry/server', []],
    [3, 'release', ['zod', 'semver']],
    [3, 'site', ['zod', 'semver']],
    [3, 'template', []],
    [4, 'sources', ['zod', 'spdx-expression-parse']],
    [4, 'discovery', ['tar-stream']],
    [4, 'bundle', ['zod']],
    [4, 'mirrors', ['semver', 'zod']],
    [4, 'kube', ['undici', 'zod', 'kubernetes-types']],
    [5, 'lock', []],
    [5, 'proof', ['zod']],
    [5, 'hosts', ['ssh2', 'ipaddr.js']],
    [5, 'capi', ['zod', 'semver', 'ipaddr.js']],
    [6, 'installer', ['zod']],
    [6, 'controllers', []],
    [7, 'api', ['fastify', 'zod', 'prom-client']],
    [8, 'cli', ['pino']],
  ];

/** What tests beside the code may use on top. */
const testPackages = ['fast-check', 'tar-stream'];

// Biome fixes the shape of import lines, so a regular expression sees them all.
const imports =
  /^(?:import|export) [\w\s{},*]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

function layerOf(path: string) {
  return layers.find(([, folder]) => path.startsWith(`src/${folder}/`));
}

function complaint(file: string, imported: string): string | undefined {
  const from = layerOf(file);
  if (from === undefined) return 'lies in a folder that is not on the map';
  if (imported.startsWith('node:')) return undefined;
  const isTest = /\.(test|contract)\.ts$/.test(file);
  if (!imported.startsWith('.')) return packageComplaint(from[2], imported, isTest);
  return folderComplaint(file, from, normalize(join(dirname(file), imported)), isTest);
}

function packageComplaint(allowed: readonly string[], imported: string, isTest: boolean) {
  const known = isTest ? [...allowed, ...testPackages] : allowed;
  const fits = known.some((name) =>
    name.endsWith('/') ? imported.startsWith(name) : `${imported}/`.startsWith(`${name}/`),
  );
  return fits ? undefined : `may not use the package ${imported}`;
}

function folderComplaint(
  file: string,
  from: (typeof layers)[number],
  target: string,
  isTest: boolean,
): string | undefined {
  if (isTest && target.startsWith('test/support/')) return undefined;
  const to = layerOf(target);
  if (to === undefined) return `imports ${target}, which is not on the map`;
  const inner = /^(.*\/)internal\//.exec(target)?.[1];
  if (inner !== undefined && !file.startsWith(inner)) return `imports ${target}, which is internal`;
  if (to[1] === from[1] || to[0] < from[0]) return undefined;
  return `imports ${to[1]} (level ${to[0]}) from level ${from[0]}`;
}

test('every import follows the map of folders', async () => {
  const complaints: string[] = [];
  for await (const path of glob('src/**/*.ts', { cwd: root })) {
    const source = readFileSync(join(root, path), 'utf8');
    for (const match of source.matchAll(imports)) {
      const imported = match[1] ?? match[2] ?? match[3] ?? '';
      const problem = complaint(relative('.', path), imported);
      if (problem !== undefined) complaints.push(`${path}: ${problem}`);
    }
  }

  assert.deepEqual(complaints, []);
});

test('the map catches an import of a higher, a neighbouring and an internal folder', () => {
  assert.match(complaint('src/oci/a.ts', '../content/b.ts') ?? '', /level 2/);
  assert.match(complaint('src/site/a.ts', '../release/b.ts') ?? '', /level 3/);
  assert.match(complaint('src/lock/a.ts', '../bundle/internal/b.ts') ?? '', /internal/);
  assert.match(complaint('src/oci/a.ts', 'undici') ?? '', /package undici/);
  assert.equal(complaint('src/lock/a.ts', '../bundle/b.ts'), undefined);
});
