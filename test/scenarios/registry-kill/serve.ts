import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

const program = new URL('./serve-folder.ts', import.meta.url).pathname;

/** A registry in a process of its own. */
export interface KillableRegistry {
  /** Kills it on the spot and waits until it is gone. */
  kill(): Promise<void>;
}

/** Serves a folder in another process; gives its URL as well. */
export async function serveFolder(
  t: TestContext,
  folder: string,
): Promise<readonly [KillableRegistry, string]> {
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer]; // data of a pipe without encoding
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return [{ kill }, line.toString().trim()];
}
