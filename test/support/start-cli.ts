/** Runs the program in this process while the test goes on, for commands that serve. */
import type { TestContext } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import { FakeHost } from './fake-host.ts';

/** A command that runs. */
export interface RunningCli {
  readonly host: FakeHost;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number>;
  /** Waits until standard output has this; gives the first group. Fails if the command ends before. */
  printed(pattern: RegExp): Promise<string>;
  /** Sends a signal and waits for the exit code. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number>;
}

/** `const cli = await startCli(t, folder, 'registry', 'serve', …)`; stopped when the test ends. */
export function startCli(
  t: TestContext,
  host: FakeHost | string,
  ...args: readonly string[]
): RunningCli {
  const inner = typeof host === 'string' ? new FakeHost(args, { cwd: host }) : host;
  const ended = runProgram(inner);
  const stop = (signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM') => {
    inner.emit(signal, signal);
    return ended;
  };
  t.after(() => stop());
  return { host: inner, ended, stop, printed: (pattern) => waitFor(inner, ended, pattern) };
}

async function waitFor(host: FakeHost, ended: Promise<number>, pattern: RegExp): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const look = () => {
    const found = pattern.exec(host.stdout.text);
    if (found !== null) resolve(found[1] ?? '');
  };
  const write = host.stdout.write.bind(host.stdout);
  host.stdout.write = (text) => {
    write(text);
    look();
    return true;
  };
  look();
  const tooEarly = ended.then((exitCode) => {
    throw new Error(`ended with ${exitCode}: ${host.stderr.text}${host.stdout.text}`);
  });
  return Promise.race([promise, tooEarly]);
}
