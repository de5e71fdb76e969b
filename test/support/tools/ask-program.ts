import { runProgram } from './run-program.ts';

/**
 * Asks a program that answers each line of its input with one line, in order: `['a', 'b']` → what it says
 * of `a`, and of `b`. Rejects when it fails, or says more or less than it was asked.
 */
export async function askProgram(
  program: string,
  lines: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
  } = {},
): Promise<readonly string[]> {
  const { args = [], env = {} } = options;
  const input = lines.map((line) => `${line}\n`).join('');
  const { stdout } = await runProgram([program, ...args], { input, env, timeoutMs: 600_000 });
  const answers = stdout.split('\n').slice(0, -1);
  if (answers.length === lines.length) return answers;
  throw new Error(`${program} gave ${answers.length} answers to ${lines.length} questions`);
}
