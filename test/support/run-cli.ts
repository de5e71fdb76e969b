/** Runs the whole program in this process, as `main.ts` does, on a host made for one call. */
import { runProgram } from '../../src/cli/program.ts';
import { FakeHost } from './fake-host.ts';

/** What a call of the program left behind. */
export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a call happens, if the environment matters. */
export interface CliPlace {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** `runCli('/tmp/x', 'plan', 'release.yaml')` in that folder, without a terminal. */
export async function runCli(
  place: string | CliPlace,
  ...args: readonly string[]
): Promise<CliResult> {
  const host = new FakeHost(args, typeof place === 'string' ? { cwd: place } : place);
  const exitCode = await runProgram(host);
  return { exitCode, stdout: host.stdout.text, stderr: host.stderr.text };
}
