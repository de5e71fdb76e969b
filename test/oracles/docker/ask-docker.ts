import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../support/tools/run-program.ts';
import type { Answer, World } from './world.ts';

/** What Docker says about each node; `program` comes from build-docker.ts, `folder` is its scratch space. */
export async function askDocker(
  program: string,
  folder: string,
  worlds: readonly World[],
): Promise<readonly Answer[]> {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  const input = worlds.map((world) => `${JSON.stringify(world)}\n`).join('');
  const { stdout } = await runProgram([program, home], { input, timeoutMs: 600_000 });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer); // written by program/main.go
}
