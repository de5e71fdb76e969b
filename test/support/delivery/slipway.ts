import { type ProgramOptions, type ProgramResult, runProgram } from '../tools/run-program.ts';

const program = new URL('../../../bin/slipway.mjs', import.meta.url).pathname;

/** Runs the product as a user does, in a process of its own: `await slipway(['plan', 'release.yaml'])`. */
export function slipway(
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  return runProgram([process.execPath, program, ...args], { timeoutMs: 300_000, ...options });
}
