import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';

const program = new URL('./program.ts', import.meta.url).pathname;

/** A registry in a process of its own. */
export interface ServedFolder {
  /** The most memory that it had in use so far, in bytes. */
  peakBytes(): Promise<number>;
  /** Kills it on the spot and waits until it is gone. */
  kill(): Promise<void>;
}

/** Serves a folder in another process; gives its URL as well. */
export async function serveFolder(
  t: TestContext,
  folder: string,
): Promise<readonly [ServedFolder, string]> {
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the registry over ${folder} ended with ${code}`);
  });
  void ended.catch(() => {}); // a kill is no failure once it serves
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer]; // no encoding is set
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const peakBytes = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  };
  return [{ kill, peakBytes }, line.toString().trim()];
}
