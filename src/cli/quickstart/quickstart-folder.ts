import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CommandContext } from '../command.ts';
import { FolderInUse } from '../errors.ts';

/** Where the quickstart works; disposing removes it, unless the user wanted to keep it. */
export interface QuickstartFolder extends AsyncDisposable {
  readonly path: string;
  readonly isKept: boolean;
}

/** The folder that the user named, which must be new or empty (FOLDER_IN_USE), or a temporary one. */
export async function openQuickstartFolder(
  { environment }: CommandContext,
  typed: string | undefined,
): Promise<QuickstartFolder> {
  if (typed === undefined) {
    const path = await mkdtemp(join(environment.tempFolder, 'slipway-quickstart-'));
    const remove = () => rm(path, { recursive: true, force: true });
    return { path, isKept: false, [Symbol.asyncDispose]: remove };
  }
  const path = resolve(environment.cwd, typed);
  await mkdir(path, { recursive: true });
  if ((await readdir(path)).length > 0) throw new FolderInUse({ folder: typed });
  return { path, isKept: true, [Symbol.asyncDispose]: async () => {} };
}
