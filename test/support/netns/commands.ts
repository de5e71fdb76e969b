import { runProgram } from '../tools/run-program.ts';

/** Runs `ip` with one line of arguments: `await ip('netns add hub')`. */
export async function ip(line: string): Promise<string> {
  return (await runProgram(['ip', ...line.split(' ')])).stdout;
}

/** The same inside a namespace, for any program: `await inNamespace('hub', ['nft', 'list', 'ruleset'])`. */
export async function inNamespace(
  namespace: string,
  command: readonly string[],
  input = '',
): Promise<string> {
  return (await runProgram(['ip', 'netns', 'exec', namespace, ...command], { input })).stdout;
}
