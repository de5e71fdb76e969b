import type { Stats } from 'node:fs';
import { readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { OutputNotAFile } from './errors.ts';
import { lstatIfThere } from './lstat-if-there.ts';

/** Where the bytes for a path go, once links are followed. */
export type OutputPlace =
  /** A regular file, or a name that is free; `found` is the file that is there. */
  | { readonly kind: 'file'; readonly path: string; readonly found: Stats | undefined }
  /** Takes bytes as they come and keeps none: a terminal, `/dev/null`, a pipe. */
  | { readonly kind: 'stream'; readonly path: string; readonly isPipe: boolean }
  /** A file that this process holds open, such as `/dev/stdout` after `> report.json`. */
  | { readonly kind: 'open-file'; readonly descriptor: number };

/** As many as Linux follows. */
const maxLinks = 40;

/**
 * Looks where output for `path` belongs, as a shell's `>` would find it: links are followed, also to a
 * name that is still free. `/dev/null` → `{ kind: 'stream' }`. Changes nothing.
 *
 * Rejects with OUTPUT_NOT_A_FILE for what holds no bytes of its own or whose bytes are not a file's:
 * a folder, a block device, a socket, a circle of links.
 */
export async function outputPlaceOf(path: string): Promise<OutputPlace> {
  let at = resolve(path);
  for (let links = 0; links < maxLinks; links += 1) {
    const found = await lstatIfThere(at);
    if (found === undefined || !found.isSymbolicLink()) return placeOf(at, found);
    const folder = await realpath(dirname(at));
    // The links there only look like links: what they lead to may have no name at all.
    if (folder === `/proc/${process.pid}/fd`) return placeOfDescriptor(at);
    at = resolve(folder, await readlink(at));
  }
  throw new OutputNotAFile({ path, what: 'a circle of links' });
}

function placeOf(path: string, found: Stats | undefined): OutputPlace {
  if (found === undefined || found.isFile()) return { kind: 'file', path, found };
  if (found.isCharacterDevice()) return { kind: 'stream', path, isPipe: false };
  if (found.isFIFO()) return { kind: 'stream', path, isPipe: true };
  throw new OutputNotAFile({ path, what: nameOf(found) });
}

/** A new file in the place of an open one would be lost to whoever reads what this process prints. */
async function placeOfDescriptor(path: string): Promise<OutputPlace> {
  const found = await stat(path);
  if (!found.isFile()) return placeOf(path, found);
  return { kind: 'open-file', descriptor: Number(path.slice(path.lastIndexOf('/') + 1)) };
}

function nameOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isBlockDevice()) return 'a disk';
  return 'a socket';
}
