import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file so that a reader sees the old content or the new, never a part of it (promise P5):
 * temporary name beside the target, fsync, rename, fsync of the folder.
 *
 * Makes missing folders. `mode` defaults to 0o644. The temporary file is removed on failure; one
 * that a kill leaves behind is named `.NAME.UUID.tmp` and is ignored by every reader of ours.
 * `temporaryFolder`, on the same file system, gathers such leftovers where the caller can remove them.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
  temporaryFolder = dirname(path),
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  if (temporaryFolder !== folder) await mkdir(temporaryFolder, { recursive: true });
  const temporary = join(temporaryFolder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Makes renames in `folder` survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
