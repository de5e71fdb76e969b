/** What an earlier run left of a bundle is read again: its right size says nothing after a power cut (promise P5). */
import { openRegularFile } from '../content/open-regular-file.ts';
import { digester, splitDigest } from '../oci/digest.ts';
import type { Run } from '../shared/run.ts';
import { type ArchiveReader, archiveReader, readPart } from './archive-reader.ts';
import type { BundledFile } from './bundle-manifest.ts';
import type { Slot } from './tar-layout.ts';

/** Whether the file at `path` has the size and digest of `want`; read once, one chunk at a time. */
export async function isWholeFile(path: string, want: BundledFile, run: Run): Promise<boolean> {
  const opened = await openRegularFile(path);
  if (opened === undefined) return false;
  await using file = archiveReader(opened);
  return file.size === want.size && (await hasBytes(file, want, 0, run));
}

/** Those of `claimed` whose header and bytes really lie in their slots of the archive at `path`. */
export async function wholeSlots(
  path: string,
  claimed: readonly BundledFile[],
  slots: ReadonlyMap<string, Slot>,
  run: Run,
): Promise<Set<string>> {
  const present = new Set<string>();
  const opened = claimed.length === 0 ? undefined : await openRegularFile(path);
  if (opened === undefined) return present;
  await using archive = archiveReader(opened);
  run.expect({ items: claimed.length });
  for (const want of claimed) {
    const slot = slots.get(want.path);
    if (slot !== undefined && (await isInSlot(archive, want, slot, run))) present.add(want.path);
    run.advance({ items: 1 });
  }
  return present;
}

async function isInSlot(
  archive: ArchiveReader,
  want: BundledFile,
  { header, offset }: Slot,
  run: Run,
): Promise<boolean> {
  const found = await archive.read(offset, header.length);
  return found.equals(header) && (await hasBytes(archive, want, offset + header.length, run));
}

/** Where the file ends too early, the digest is another one. */
async function hasBytes(
  file: ArchiveReader,
  { digest, size }: BundledFile,
  offset: number,
  run: Run,
): Promise<boolean> {
  run.expect({ bytes: size });
  const hash = digester(splitDigest(digest).algorithm);
  for await (const chunk of readPart(file, { offset, size })) {
    run.signal.throwIfAborted();
    hash.update(chunk);
    run.advance({ bytes: chunk.length });
  }
  return hash.digest() === digest;
}
