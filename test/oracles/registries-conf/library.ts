import { join } from 'node:path';
import { runProgram } from '../../support/tools/run-program.ts';
import { type Answer, answersIn, questionLine, type World } from './world.ts';

const source = new URL('program/', import.meta.url).pathname;

/** Builds the Go program that holds the real library into a folder. Needs Go. */
export async function buildLibrary(folder: string): Promise<string> {
  const program = join(folder, 'registries-conf');
  const flags = [
    '-trimpath',
    '-buildvcs=false',
    '-mod=readonly',
    '-tags',
    'containers_image_openpgp',
  ];
  await runProgram(['nice', 'go', 'build', ...flags, '-o', program, '.'], {
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
