import { readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Lock } from '../release/lock.ts';
import { readLock } from '../release/lock-document.ts';
import type { CommandContext } from './command.ts';
import { LockUndecided } from './errors.ts';
import { readInput } from './read-input.ts';

/** A Lock and the file it came from, as the user would type it. */
export interface LockFile {
  readonly file: string;
  readonly lock: Lock;
}

/**
 * Reads the Lock that the user named, or the only `*.lock.yaml` of the working folder. A bundle, folder
 * or `.tar`, stands for the Lock in it: at a site it is often all that there is.
 * LOCK_UNDECIDED, DOCUMENT_UNREADABLE, and what reading a Lock or a bundle throws.
 */
export async function readLockFile(
  named: string | undefined,
  context: CommandContext,
): Promise<LockFile> {
  const file = named ?? (await onlyLock(context));
  if (await isBundle(file, context)) return { file, lock: await lockOfBundle(file, context) };
  return { file, lock: readLock((await readInput(file, context)).content, file) };
}

async function isBundle(file: string, { environment }: CommandContext): Promise<boolean> {
  if (file.endsWith('.tar')) return true;
  const found = await stat(resolve(environment.cwd, file)).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function lockOfBundle(file: string, { environment, run }: CommandContext): Promise<Lock> {
  const { openBundle } = await import('../bundle/open-bundle.ts');
  const path = resolve(environment.cwd, file);
  await using bundle = await run.step('open', (inner) => openBundle(path, inner));
  return bundle.lock;
}

async function onlyLock(context: CommandContext): Promise<string> {
  const { cwd } = context.environment;
  const locks = (await readdir(cwd)).filter((name) => name.endsWith('.lock.yaml')).sort();
  const [only, second] = locks;
  if (only === undefined || second !== undefined) throw new LockUndecided({ folder: cwd, locks });
  return only;
}
