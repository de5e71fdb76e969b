import { spawn } from 'node:child_process';
import { MirrorReloadFailed } from '../../mirrors/errors.ts';
import type { Reload } from '../../mirrors/runtime-rules.ts';
import { redact } from '../../shared/secret.ts';

/** Most of what a command says when it fails; the rest is in the journal of the system. */
const mostLetters = 500;

/**
 * Runs the commands that make a runtime take its changed files, one after the other. Rejects with
 * MIRROR_RELOAD_FAILED at the first that fails; the abort signal ends a command that hangs.
 */
export async function runReloads(
  reloads: readonly Reload[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  for (const { command } of reloads) await runCommand(command, signal);
  return reloads.map(({ command }) => command);
}

/** The commands come from the runtimes' own folders, never from a file of the node. */
function runCommand(command: string, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn('/bin/sh', ['-c', command], {
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString('utf8')).slice(0, mostLetters);
    });
    const failed = (reason: string, cause?: unknown) =>
      fail(new MirrorReloadFailed({ command, reason }, { cause }));
    child.on('error', (error) => failed(error.message, error));
    child.on('close', (code) =>
      code === 0 ? done() : failed(redact(said.trim()) || `it ended with ${code ?? 'a signal'}`),
    );
  });
}
