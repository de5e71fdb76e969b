import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { InputFileUnusable } from './errors.ts';
import { formatMebibytes } from './quantities.ts';

const pieceBytes = 256 * 1024;

/**
 * The bytes of a file that somebody named: a document, a login, a certificate.
 *
 * Only a regular file is read, whole and of at most `maxBytes`. A named pipe, a device or a socket
 * would wait for its other end, where neither a signal nor a deadline reaches; a folder has no bytes.
 * INPUT_FILE_UNUSABLE says which of them `path` is; the system's errors (ENOENT, EACCES) stay as
 * they are.
 */
export async function readInputFile(path: string, maxBytes: number): Promise<Buffer> {
  // Before it is opened: that alone can make a device do something.
  refuseUnusable(await stat(path), path, maxBytes);
  const file = await openWithoutWaiting(path);
  try {
    // Again, since another file may lie there by now.
    refuseUnusable(await file.stat(), path, maxBytes);
    return await readAll(file, path, maxBytes);
  } finally {
    await file.close();
  }
}

function openWithoutWaiting(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK);
}

/** The files of /proc say that they are empty and are not, and a file may grow while it is read. */
async function readAll(file: FileHandle, path: string, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes);
    if (bytesRead === 0) return Buffer.concat(pieces, sizeBytes);
    sizeBytes += bytesRead;
    if (sizeBytes > maxBytes) throw tooLarge(path, sizeBytes, maxBytes);
    pieces.push(buffer.subarray(0, bytesRead));
  }
}

function refuseUnusable(found: Stats, path: string, maxBytes: number): void {
  if (!found.isFile()) throw new InputFileUnusable({ path, because: `is ${kindOf(found)}` });
  if (found.size > maxBytes) throw tooLarge(path, found.size, maxBytes);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe, which has no end of its own';
  if (found.isSocket()) return 'a socket';
  return 'a device';
}

function tooLarge(path: string, sizeBytes: number, maxBytes: number): Error {
  const because = `has ${formatMebibytes(sizeBytes)}; at most ${formatMebibytes(maxBytes)} are read`;
  return new InputFileUnusable({ path, because });
}
