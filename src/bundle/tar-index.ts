import type { FileHandle } from 'node:fs/promises';
import { chunkBytes } from '../content/byte-streams.ts';
import {
  decodeHeader,
  decodePax,
  paddedSize,
  type TarHeader,
  tarBlockBytes,
  tarEndBytes,
} from '../shared/tar-header.ts';
import { BundleNotABundle } from './errors.ts';

/** Where a file's bytes lie in an archive. */
export interface TarEntry {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

/** How an archive ends: with its end mark, inside an entry, or without a mark after the last one. */
export type TarEnd =
  | { readonly kind: 'marked' }
  /** Bytes other than zero follow the mark, where no reader looks. */
  | { readonly kind: 'trailing'; readonly offset: number }
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'unmarked' };

/** What {@link indexTar} finds: the files by path, and how the archive ends. */
export interface TarIndex {
  readonly entries: ReadonlyMap<string, TarEntry>;
  readonly end: TarEnd;
}

/** A pax header is small; anything larger is not ours and would only cost memory. */
const maxPaxBytes = 64 * 1024;

/**
 * Finds every file of a `.tar` by reading its headers only, so that a bundle of gigabytes opens in
 * milliseconds. Reads archives of other programs too (GNU tar, bsdtar); folders are passed over.
 * Rejects with BUNDLE_NOT_A_BUNDLE where a header is broken or an entry is neither file nor folder.
 */
export async function indexTar(file: FileHandle, path: string): Promise<TarIndex> {
  const archiveBytes = (await file.stat()).size;
  const entries = new Map<string, TarEntry>();
  let at = 0;
  while (at + tarBlockBytes <= archiveBytes) {
    const next = await readEntry(file, at, path);
    if (next === 'end') return { entries, end: await endAfter(file, at, archiveBytes) };
    const { entry, isFolder } = next;
    if (!isFolder) addOnce(entries, entry, path);
    at = entry.offset + paddedSize(entry.size);
    if (entry.offset + entry.size > archiveBytes) {
      return { entries, end: { kind: 'inside', path: entry.path } };
    }
  }
  return { entries, end: { kind: 'unmarked' } };
}

/** Readers disagree on which of two entries of one name counts, so there may be only one. */
function addOnce(entries: Map<string, TarEntry>, entry: TarEntry, path: string): void {
  if (entries.has(entry.path)) throw notATar(path, `${entry.path} is in it twice`);
  entries.set(entry.path, entry);
}

async function endAfter(file: FileHandle, from: number, archiveBytes: number): Promise<TarEnd> {
  if (archiveBytes - from < tarEndBytes) return { kind: 'unmarked' };
  for (let at = from; at < archiveBytes; at += chunkBytes) {
    const chunk = await readAt(file, at, Math.min(chunkBytes, archiveBytes - at));
    const stray = chunk.findIndex((byte) => byte !== 0);
    if (stray >= 0) return { kind: 'trailing', offset: at + stray };
  }
  return { kind: 'marked' };
}

/** The entry whose header starts at `at`, with what the pax and GNU headers before it say. */
async function readEntry(file: FileHandle, at: number, path: string) {
  let overruled: Record<string, string> = {};
  for (let headerAt = at; ; ) {
    const header = await readHeader(file, headerAt, path);
    if (header === 'end') return 'end';
    const offset = headerAt + tarBlockBytes;
    if (!isExtension(header.type)) {
      const entry = {
        path: (overruled['path'] ?? header.path).replace(/^\.\//, ''),
        size: Number(overruled['size'] ?? header.size),
        offset,
        mode: header.mode,
      };
      refuseOddEntry(entry, header.type, path);
      return { entry, isFolder: header.type === '5' };
    }
    overruled = { ...overruled, ...(await readExtension(file, header, offset, path)) };
    headerAt = offset + paddedSize(header.size);
  }
}

/** Only files and folders belong here; a size below zero would lead the reader back, for ever. */
function refuseOddEntry(entry: TarEntry, type: string, path: string): void {
  if (!Number.isSafeInteger(entry.size) || entry.size < 0) {
    throw notATar(path, `${entry.path} has no usable size`);
  }
  if (type !== '0' && type !== '5') {
    throw notATar(path, `${entry.path} is neither a file nor a folder`);
  }
}

async function readHeader(file: FileHandle, at: number, path: string): Promise<TarHeader | 'end'> {
  const block = await readAt(file, at, tarBlockBytes);
  if (block.every((byte) => byte === 0)) return 'end';
  const header = decodeHeader(block);
  if (header === undefined) throw notATar(path, `no tar header at byte ${at}`);
  return header;
}

/** Headers that speak about the next entry: pax for one, pax for all (ignored), GNU long name. */
function isExtension(type: string): boolean {
  return type === 'x' || type === 'g' || type === 'L';
}

async function readExtension(
  file: FileHandle,
  header: TarHeader,
  offset: number,
  path: string,
): Promise<Record<string, string>> {
  if (header.size > maxPaxBytes) throw notATar(path, `a header of ${header.size} bytes`);
  const bytes = await readAt(file, offset, header.size);
  if (header.type === 'x') return decodePax(bytes);
  return header.type === 'L' ? { path: untilZero(bytes) } : {};
}

/** Reads exactly `length` bytes at `offset`, fewer only where the file ends. */
export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function notATar(path: string, why: string) {
  return new BundleNotABundle({ path, why });
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}
