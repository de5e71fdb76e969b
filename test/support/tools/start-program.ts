import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** A program that runs until it is stopped; its output goes to `logFile`. */
export interface BackgroundProgram extends AsyncDisposable {
  readonly pid: number;
  readonly logFile: string;
  /** The exit code, or undefined while it runs; killed by a signal counts as 128. */
  exitCode(): number | undefined;
  /** Everything it printed so far. */
  output(): string;
  /** Sends the stop signal, insists with SIGKILL after ten seconds; stopping twice is safe. */
  stop(): Promise<void>;
}

/** How a program is started and stopped. */
export interface StartOptions {
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** SIGTERM unless given. */
  readonly stopSignal?: NodeJS.Signals;
}

/**
 * Starts a program in a session of its own: `startProgram(['etcd'], '/tmp/x/etcd.log')`.
 * The kernel ends it when this process dies, however that happens.
 */
export function startProgram(
  command: readonly string[],
  logFile: string,
  options: StartOptions = {},
): BackgroundProgram {
  const log = openSync(logFile, 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
    detached: true,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', log, log],
  });
  closeSync(log); // the child has its own
  const closed = once(child, 'close');
  void closed.catch(() => {}); // a program that cannot be started is seen by exitCode and pid
  const exitCode = () => child.exitCode ?? (child.signalCode === null ? undefined : 128);
  const stop = async () => {
    if (exitCode() !== undefined || child.pid === undefined) return;
    child.kill(options.stopSignal ?? 'SIGTERM');
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
