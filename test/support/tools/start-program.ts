import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** A program that runs until it is stopped; its output goes to `logFile`. */
export interface BackgroundProgram extends AsyncDisposable {
  readonly pid: number;
  readonly logFile: string;
  /** The exit code, or undefined while it runs; killed by a signal counts as 128. */
  exitCode(): number | undefined;
  /** Everything it printed so far. */
  output(): string;
  /** Asks with SIGTERM, insists with SIGKILL after ten seconds; stopping twice is safe. */
  stop(): Promise<void>;
}

/** Starts a program in a session of its own: `startProgram(['etcd'], '/tmp/x/etcd.log')`. */
export function startProgram(
  command: readonly string[],
  logFile: string,
  env: Readonly<Record<string, string>> = {},
): BackgroundProgram {
  const [program = '', ...args] = command;
  const log = openSync(logFile, 'a');
  const child = spawn(program, args, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  const closed = once(child, 'close');
  void closed.catch(() => {}); // a program that cannot be started is seen by exitCode and pid
  const exitCode = () => child.exitCode ?? (child.signalCode === null ? undefined : 128);
  const stop = async () => {
    if (exitCode() !== undefined || child.pid === undefined) return;
    child.kill('SIGTERM');
    const timer = new AbortController();
    await Promise.race([
      closed,
      setTimeout(10_000, undefined, { signal: timer.signal }).then(() => child.kill('SIGKILL')),
    ]);
    timer.abort();
    await closed;
  };
  return {
    pid: child.pid ?? -1,
    logFile,
    exitCode,
    output: () => readFileSync(logFile, 'utf8'),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
