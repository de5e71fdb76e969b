import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { askProgram } from '../../support/tools/ask-program.ts';
import type { Answer, World } from './world.ts';

/** What Docker says about each node; `program` comes from build-docker.ts, `folder` is its scratch space. */
export async function askDocker(
  program: string,
  folder: string,
  worlds: readonly World[],
): Promise<readonly Answer[]> {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  const lines = worlds.map((world) => JSON.stringify(world));
  const answers = await askProgram(program, lines, { args: [home] });
  return answers.map((line) => JSON.parse(line) as Answer); // written by program/main.go
}
