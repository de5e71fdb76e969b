import type { Run } from '../shared/run.ts';
import {
  decodeHeader,
  decodePax,
  paddedSize,
  type TarHeader,
  tarBlockBytes,
  tarEndBytes,
} from '../shared/tar-header.ts';
import type { ArchiveReader } from './archive-reader.ts';
import { BundleNotABundle } from './errors.ts';

/** Where a file's bytes lie in an archive. */
export interface TarEntry {
  readonly path: string;
  /** Of the first header that speaks about the file. */
  readonly headerAt: number;
  readonly offset: number;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

/** How an archive ends: with its end mark, inside an entry, or without a mark after the last one. */
export type TarEnd =
  | { readonly kind: 'marked' }
  /** Something stands in the mark or behind it, where no reader looks. */
  | { readonly kind: 'trailing'; readonly offset: number }
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'unmarked' };

/** What {@link indexTar} finds: files by path in their order, folders, and how the archive ends. */
export interface TarIndex {
  readonly entries: ReadonlyMap<string, TarEntry>;
  readonly folders: readonly string[];
  readonly end: TarEnd;
}

/** A pax header is small; anything larger is not ours and would only cost memory. */
const maxPaxBytes = 64 * 1024;

/**
 * Finds every file of a `.tar` by reading its headers only, so that a bundle of gigabytes opens in
 * milliseconds. Reads archives of other programs too (GNU tar, bsdtar). Progress: how far into the archive.
 * Rejects with BUNDLE_NOT_A_BUNDLE where a header is broken or an entry is neither file nor folder.
 */
export async function indexTar(archive: ArchiveReader, path: string, run: Run): Promise<TarIndex> {
  const { size: archiveBytes } = archive;
  run.expect({ bytes: archiveBytes });
  const entries = new Map<string, TarEntry>();
  const folders: string[] = [];
  let at = 0;
  while (at + tarBlockBytes <= archiveBytes) {
    run.signal.throwIfAborted();
    const next = await readEntry(archive, at, path);
    if (next === 'end') {
      run.advance({ bytes: archiveBytes - at });
      return { entries, folders, end: await endAfter(archive, at, archiveBytes) };
    }
    const { entry, isFolder } = next;
    if (isFolder) folders.push(entry.path);
    else addOnce(entries, entry, path);
    const behind = entry.offset + paddedSize(entry.size);
    run.advance({ bytes: Math.min(behind, archiveBytes) - at });
    at = behind;
    if (entry.offset + entry.size > archiveBytes) {
      return { entries, folders, end: { kind: 'inside', path: entry.path } };
    }
  }
  return { entries, folders, end: { kind: 'unmarked' } };
}

/** Readers disagree on which of two entries of one name counts, so there may be only one. */
function addOnce(entries: Map<string, TarEntry>, entry: TarEntry, path: string): void {
  if (entries.has(entry.path)) throw notATar(path, `${entry.path} is in it twice`);
  entries.set(entry.path, entry);
}

async function endAfter(
  archive: ArchiveReader,
  from: number,
  archiveBytes: number,
): Promise<TarEnd> {
  if (archiveBytes - from < tarEndBytes) return { kind: 'unmarked' };
  const stray = (await archive.read(from, tarEndBytes)).findIndex((byte) => byte !== 0);
  if (stray >= 0) return { kind: 'trailing', offset: from + stray };
  const end = from + tarEndBytes;
  return archiveBytes > end ? { kind: 'trailing', offset: end } : { kind: 'marked' };
}

/** The entry whose header starts at `at`, with what the pax and GNU headers before it say. */
async function readEntry(archive: ArchiveReader, at: number, path: string) {
  let overruled: Record<string, string> = {};
  for (let headerAt = at; ; ) {
    const header = await readHeader(archive, headerAt, path);
    if (header === 'end') return 'end';
    const offset = headerAt + tarBlockBytes;
    if (!isExtension(header.type)) {
      const entry = {
        path: (overruled['path'] ?? header.path).replace(/^\.\//, ''),
        headerAt: at,
        size: Number(overruled['size'] ?? header.size),
        offset,
        mode: header.mode,
      };
      refuseOddEntry(entry, header.type, path);
      return { entry, isFolder: header.type === '5' };
    }
    overruled = { ...overruled, ...(await readExtension(archive, header, offset, path)) };
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

async function readHeader(
  archive: ArchiveReader,
  at: number,
  path: string,
): Promise<TarHeader | 'end'> {
  const block = await archive.read(at, tarBlockBytes);
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
  archive: ArchiveReader,
  header: TarHeader,
  offset: number,
  path: string,
): Promise<Record<string, string>> {
  if (header.size > maxPaxBytes) throw notATar(path, `a header of ${header.size} bytes`);
  const bytes = await archive.read(offset, header.size);
  if (header.type === 'x') return decodePax(bytes);
  return header.type === 'L' ? { path: untilZero(bytes) } : {};
}

function notATar(path: string, why: string) {
  return new BundleNotABundle({ path, why });
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}
