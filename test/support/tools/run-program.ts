import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** How to run a program; `okCodes` lists the exit codes that are no failure (default: 0). */
export interface ProgramOptions {
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly okCodes?: readonly number[];
}

/** What a program left behind. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a real program to its end and returns what it printed.
 *
 * `await runProgram(['crictl', 'images'])` → `{ code: 0, stdout: 'IMAGE ...', stderr: '' }`.
 * Another exit code than `okCodes` rejects with the command line and everything it printed.
 * It is killed after `timeoutMs` (default two minutes).
 */
export async function runProgram(
  command: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    stdio: 'pipe',
    timeout: options.timeoutMs ?? 120_000,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {}); // a program that ends before it reads all its input may do so
  child.stdin.end(options.input ?? '');
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  // Node hands `close` the exit code, or null and the signal.
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  const [stdout, stderr] = await output;
  if (code !== null && (options.okCodes ?? [0]).includes(code)) {
    return { code, stdout, stderr };
  }
  throw new Error(`${command.join(' ')} ended with ${code ?? signal}\n${stdout}${stderr}`);
}
