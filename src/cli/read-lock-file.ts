import { readdir } from 'node:fs/promises';
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
 * Reads the Lock that the user named, or the only `*.lock.yaml` of the working folder.
 * LOCK_UNDECIDED, DOCUMENT_UNREADABLE, and what reading a Lock throws.
 */
export async function readLockFile(
  named: string | undefined,
  context: CommandContext,
): Promise<LockFile> {
  const file = named ?? (await onlyLock(context));
  return { file, lock: readLock((await readInput(file, context)).content, file) };
}

async function onlyLock(context: CommandContext): Promise<string> {
  const { cwd } = context.environment;
  const locks = (await readdir(cwd)).filter((name) => name.endsWith('.lock.yaml')).sort();
  const [only, second] = locks;
  if (only === undefined || second !== undefined) throw new LockUndecided({ folder: cwd, locks });
  return only;
}
