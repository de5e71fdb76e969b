import { randomUUID } from 'node:crypto';
import { appendFile, constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type DurableFiles, systemFiles } from './durable-files.ts';
import { OutputPipeUnread, systemCode } from './errors.ts';
import { type OutputPlace, outputPlaceOf } from './output-place.ts';

/** What goes where; see {@link writeFileAtomic}. */
export interface FileOutput {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode?: number | undefined;
  readonly temporaryFolder?: string | undefined;
}

/** Permission bits of a new file for which the caller names none. */
const usualMode = 0o644;

/**
 * Writes a file so that a reader sees the old content or the new, never a part of it (promise P5):
 * temporary name beside the target, fsync, rename, fsync of the folder.
 *
 * Makes missing folders. With `mode` the file has exactly that; without, a file that is there keeps its mode
 * and owner, and a new one has 0o644. A link stays and what it leads to is replaced. What is no file
 * (a terminal, /dev/null, a pipe) cannot be replaced: it is written to. A folder, disk or socket ends with
 * OUTPUT_NOT_A_FILE, a pipe without a reader with OUTPUT_PIPE_UNREAD.
 *
 * The temporary file is removed on failure; one that a kill leaves behind is named `.NAME.UUID.tmp`, which
 * no reader of ours looks at. `temporaryFolder`, on the same file system, gathers such leftovers where
 * the caller can remove them.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode?: number,
  temporaryFolder?: string,
): Promise<void> {
  return writeOutput({ path, content, mode, temporaryFolder });
}

/** The same with the file system as a parameter. */
export async function writeOutput(
  output: FileOutput,
  files: DurableFiles = systemFiles,
): Promise<void> {
  const place = await outputPlaceOf(output.path);
  switch (place.kind) {
    case 'file':
      return replaceFile(place, output, files);
    case 'stream':
      return writeThrough(place, output.content);
    case 'open-file':
      return promisify(appendFile)(place.descriptor, output.content);
    default:
      return place satisfies never;
  }
}

/** Makes renames in `folder` survive a power cut. */
export async function syncFolder(folder: string, files: DurableFiles = systemFiles): Promise<void> {
  const handle = await files.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function replaceFile(
  { path, found }: Extract<OutputPlace, { kind: 'file' }>,
  { path: given, content, mode, temporaryFolder }: FileOutput,
  files: DurableFiles,
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // A link may have led to another file system, where the caller's folder is of no use.
  const gathering = path === resolve(given) ? temporaryFolder : undefined;
  const owner = mode === undefined ? found : undefined;
  const bits = mode ?? (found === undefined ? usualMode : found.mode & 0o777);
  const whole = { path, content, mode: bits, temporaryFolder: gathering ?? folder, owner };
  await renameWhole(whole, files);
  await syncFolder(folder, files);
}

/** User and group of a file, as numbers. */
export type Owner = Pick<Stats, 'uid' | 'gid'>;

/** A file that gets content and name at once; see {@link renameWhole}. */
interface WholeFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode?: number;
  readonly temporaryFolder: string;
  /** Whose the file is to be; who may not give it away keeps it. */
  readonly owner?: Owner | undefined;
}

/**
 * The heart of {@link writeFileAtomic}: temporary name, fsync, rename. The folder of `path` is there, and
 * the caller syncs it; `temporaryFolder`, on the same file system, is made.
 */
export async function renameWhole(
  { path, content, mode = usualMode, temporaryFolder, owner }: WholeFile,
  files: DurableFiles,
): Promise<void> {
  await mkdir(temporaryFolder, { recursive: true });
  const temporary = join(temporaryFolder, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await files.open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      if (owner !== undefined) await giveTo(file, owner);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await files.rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What root writes for somebody stays theirs; anybody else cannot give files away. */
async function giveTo(file: FileHandle, { uid, gid }: Owner): Promise<void> {
  const now = await file.stat();
  if (now.uid === uid && now.gid === gid) return;
  await file.chown(uid, gid).catch(() => {});
}

async function writeThrough(
  { path, isPipe }: Extract<OutputPlace, { kind: 'stream' }>,
  content: string | Uint8Array,
): Promise<void> {
  // Held until the end: a reader that sees the last writer leave takes it for the end of the data.
  const guard = isPipe ? await openWithReader(path) : undefined;
  try {
    const file = await open(path, constants.O_WRONLY);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  } finally {
    await guard?.close();
  }
}

/** To open a pipe that nobody reads waits in the kernel, where no signal of ours reaches it. */
async function openWithReader(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENXIO') throw new OutputPipeUnread({ path }, { cause: error });
    throw error;
  }
}
