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

/**
 * The levels inside of `mirrors`, lowest first: folders and files of its own. Files of one level may import
 * from each other, folders may not.
 */
const mirrors: ReadonlyArray<readonly string[]> = [
  [
    'config-tree.ts',
    'errors.ts',
    'finding.ts',
    'finding-rules.ts',
    'mirror-rule.ts',
    'newer-version.ts',
  ],
  ['own-text.ts', 'runtime-facts.ts', 'diff', 'go', 'names'],
  ['containerd-version', 'directory-tree.ts', 'memory-tree.ts', 'overlay-tree.ts'],
  ['pull-chain.ts', 'pull-walk.ts', 'request-url.ts'],
  ['runtime-rules.ts', 'simulate.ts', 'mends'],
  ['certificates', 'files', 'images', 'inside-site.ts'],
  ['hosts-toml', 'registries-conf', 'explain'],
  ['containerd', 'docker'],
  ['k3s', 'talos'],
  ['open-runtime.ts', 'version-changes.ts', 'release-spans.ts', 'describe-spans.ts'],
  ['write'],
  ['lint'],
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
  if (file.startsWith('src/mirrors/') && target.startsWith('src/mirrors/') && !isTest) {
    return mirrorsComplaint(file, target);
  }
  const to = layerOf(target);
  if (to === undefined) return `imports ${target}, which is not on the map`;
  const inner = /^(.*\/)internal\//.exec(target)?.[1];
  if (inner !== undefined && !file.startsWith(inner)) return `imports ${target}, which is internal`;
  if (to[1] === from[1] || to[0] < from[0]) return undefined;
  return `imports ${to[1]} (level ${to[0]}) from level ${from[0]}`;
}

function mirrorsComplaint(file: string, target: string): string | undefined {
  const partOf = (path: string) => path.split('/')[2] ?? '';
  const levelOf = (part: string) => mirrors.findIndex((parts) => parts.includes(part));
  const [from, to] = [partOf(file), partOf(target)];
  if (levelOf(from) < 0) return `${from} has no level inside of mirrors`;
  if (from === to || levelOf(to) < levelOf(from)) return undefined;
  const areFiles = from.endsWith('.ts') && to.endsWith('.ts');
  if (areFiles && levelOf(to) === levelOf(from)) return undefined;
  return `imports mirrors/${to} (level ${levelOf(to)}) from mirrors/${from} (level ${levelOf(from)})`;
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

test('the map catches a runtime that imports a neighbour, and a shared folder that imports a runtime', () => {
  assert.match(complaint('src/mirrors/docker/a.ts', '../containerd/b.ts') ?? '', /level/);
  assert.match(complaint('src/mirrors/hosts-toml/a.ts', '../docker/b.ts') ?? '', /level/);
  assert.match(complaint('src/mirrors/new/a.ts', '../go/b.ts') ?? '', /no level/);
  assert.equal(complaint('src/mirrors/docker/a.ts', '../hosts-toml/b.ts'), undefined);
});
