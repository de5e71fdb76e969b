import type { TomlVersion } from '../../../src/mirrors/go/toml/burnt-sushi-tables.ts';
import { askProgram } from '../../support/tools/ask-program.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { type Answer, answersIn, questionLine, type World } from './world.ts';

/** What the library says about each world, on BurntSushi/toml 1.5 or 1.6. Needs Go the first time. */
export async function libraryAnswers(
  toml: TomlVersion,
  worlds: readonly World[],
): Promise<ReadonlyArray<readonly Answer[]>> {
  const set = toml === '1.0' ? 'registries-conf-toml-1.5' : 'registries-conf';
  return (await askProgram(await toolPath(set, 'oracle'), worlds.map(questionLine))).map(answersIn);
}
