import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { type ToolSet, type ToolSetName, toolSets } from './tool-sets.ts';

/** Architectures by Go's names; images are made for both. */
export type Architecture = 'amd64' | 'arm64';

/** This machine's architecture; only its programs can be run here. */
export const hostArchitecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

const tests = new URL('../../', import.meta.url).pathname;
const longestBuildMs = 60 * 60_000;

/**
 * A folder with the programs of one set, built now or found in the cache.
 *
 * `await buildTools('crane')` → `~/.cache/slipway-tools/crane-amd64-0f1e2d3c4b5a`, holding `crane`.
 * The cache lies outside the tree (SLIPWAY_TOOLS, else XDG_CACHE_HOME, else ~/.cache) and is keyed
 * by the module's files, the flags and Go's version. Rejects when Go is missing.
 */
export async function buildTools(
  name: ToolSetName,
  architecture: Architecture = hostArchitecture,
): Promise<string> {
  const set: ToolSet = toolSets[name];
  const source = join(tests, set.folder ?? join('fixtures/go', name));
  const key = await cacheKey(source, set);
  const folder = join(cacheFolder(), `${name}-${architecture}-${key}`);
  if (!existsSync(folder)) await buildInto(folder, { source, set, architecture });
  return folder;
}

/** The path of one program: `await toolPath('containerd', 'ctr')`. */
export async function toolPath<Name extends ToolSetName>(
  name: Name,
  program: keyof (typeof toolSets)[Name]['programs'] & string,
): Promise<string> {
  return join(await buildTools(name), program);
}

/** Where built programs are kept between runs. */
export function cacheFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return process.env['SLIPWAY_TOOLS'] ?? join(cache, 'slipway-tools');
}

async function cacheKey(source: string, set: ToolSet): Promise<string> {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([await goVersion(), set]));
  for (const file of (await readdir(source)).sort()) {
    if (!belongsTo(set, file)) continue;
    hash.update(`${file}\0`).update(await readFile(join(source, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

/** A folder with several module files holds those of other sets too. */
function belongsTo({ modfile }: ToolSet, file: string): boolean {
  if (modfile === undefined || !/\.(?:mod|sum)$/.test(file)) return true;
  return file === modfile || file === modfile.replace(/mod$/, 'sum');
}

async function goVersion(): Promise<string> {
  try {
    return (await runProgram(['go', 'env', 'GOVERSION'])).stdout.trim();
  } catch (cause) {
    throw new Error(
      'the real-tool scenarios build foreign programs with Go >= 1.26.7; put `go` on the PATH (https://go.dev/dl)',
      { cause },
    );
  }
}

interface Build {
  readonly source: string;
  readonly set: ToolSet;
  readonly architecture: Architecture;
}

/** Builds beside the final name and renames, so a killed build never looks finished. */
async function buildInto(folder: string, build: Build): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true });
  const temporary = await mkdtemp(`${folder}.part-`);
  try {
    for (const [program, goPackage] of Object.entries(build.set.programs)) {
      await runProgram(goBuild(join(temporary, program), goPackage, build.set), {
        cwd: build.source,
        env: { CGO_ENABLED: '0', GOARCH: build.architecture, GOOS: 'linux', GOFLAGS: '' },
        timeoutMs: longestBuildMs,
      });
    }
    await publish(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function publish(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // another process built the same set first: use its result
  }
}

function goBuild(output: string, goPackage: string, set: ToolSet): string[] {
  const variables = Object.entries(set.variables ?? {}).map(
    ([name, value]) => `-X ${name}=${value}`,
  );
  const tags = (set.tags ?? []).join(',');
  const flags = ['-trimpath', '-buildvcs=false', '-mod=readonly', '-tags', tags];
  if (set.modfile !== undefined) flags.push(`-modfile=${set.modfile}`);
  const ldflags = ['-ldflags', `-s -w ${variables.join(' ')}`];
  return ['nice', 'go', 'build', ...flags, ...ldflags, '-o', output, goPackage];
}
