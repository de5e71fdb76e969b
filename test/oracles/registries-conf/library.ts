import { join } from 'node:path';
import type { TomlVersion } from '../../../src/mirrors/go/toml/burnt-sushi-tables.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import { type Answer, answersIn, questionLine, type World } from './world.ts';

const source = new URL('program/', import.meta.url).pathname;

/** Builds the Go program with the library, on BurntSushi/toml 1.5 or 1.6, into a folder. Needs Go. */
export async function buildLibrary(folder: string, toml: TomlVersion): Promise<string> {
  const program = join(folder, `registries-conf-${toml}`);
  const modules = toml === '1.0' ? ['-modfile=toml-1.5.mod'] : [];
  const flags = [
    '-trimpath',
    '-buildvcs=false',
    '-mod=readonly',
    '-tags',
    'containers_image_openpgp',
  ];
  await runProgram(['nice', 'go', 'build', ...flags, ...modules, '-o', program, '.'], {
    cwd: source,
    env: { CGO_ENABLED: '0', GOFLAGS: '' },
    timeoutMs: 600_000,
  });
  return program;
}

/** What the library says about each world. */
export async function libraryAnswers(
  program: string,
  worlds: readonly World[],
): Promise<ReadonlyArray<readonly Answer[]>> {
  const input = worlds.map((world) => `${questionLine(world)}\n`).join('');
  const { stdout } = await runProgram([program], { input, timeoutMs: 600_000 });
  return stdout.trimEnd().split('\n').map(answersIn);
}
