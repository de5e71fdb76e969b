import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { tempDir } from '../../../support/temp-dir.ts';

/** What a main configuration does to containerd. */
export type Verdict = 'loads' | 'does not load' | 'does not start';

/** The files of one folder; `config.toml` is the main one. */
export type ConfigFolder = Readonly<Record<string, string | Uint8Array>>;

const longestStartMs = 30_000;

/**
 * Starts the real containerd with a root, state and socket of its own, and reads from its log
 * whether it comes up and whether the CRI plugin is among what it loaded.
 */
export async function realVerdict(
  t: TestContext,
  program: string,
  files: ConfigFolder,
): Promise<{ readonly verdict: Verdict; readonly log: string }> {
  const folder = await tempDir(t);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const places = ['root', 'state', 'address'].flatMap((name) => [`--${name}`, join(folder, name)]);
  const config = ['--config', join(folder, 'config.toml')];
  const daemon = spawn(program, [...config, ...places], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(daemon, 'exit');
  const timer = setTimeout(() => daemon.kill('SIGKILL'), longestStartMs);
  const lines: string[] = [];
  for await (const line of createInterface({ input: daemon.stderr })) {
    lines.push(line);
    if (line.includes('containerd successfully booted')) break;
  }
  const isUp = lines.at(-1)?.includes('containerd successfully booted') === true;
  daemon.kill('SIGTERM');
  await exited;
  clearTimeout(timer);
  return { verdict: isUp ? verdictOf(lines) : 'does not start', log: lines.slice(-5).join('\n') };
}

function verdictOf(lines: readonly string[]): Verdict {
  const about = lines.filter((line) => line.includes('id=io.containerd.grpc.v1.cri '));
  const isTried = about.some((line) => line.includes('msg="loading plugin"'));
  const isLost = about.some((line) => /msg="(?:failed to load|skip loading) plugin"/.test(line));
  return isTried && !isLost ? 'loads' : 'does not load';
}
