/** What an earlier run left of a bundle is read again: its right size says nothing after a power cut (promise P5). */
import { chunkBytes } from '../content/byte-streams.ts';
import { openRegularFile, type RegularFile } from '../content/open-regular-file.ts';
import { digester, splitDigest } from '../oci/digest.ts';
import { readAt } from '../shared/read-at.ts';
import type { Run } from '../shared/run.ts';
import type { BundledFile } from './bundle-manifest.ts';
import type { Slot } from './tar-layout.ts';

/** Whether the file at `path` has the size and digest of `want`; read once, one chunk at a time. */
export async function isWholeFile(path: string, want: BundledFile, run: Run): Promise<boolean> {
  const opened = await openRegularFile(path);
  if (opened === undefined) return false;
  await using file = opened.file;
  return opened.size === want.size && (await hasBytes(file, want, 0, run));
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
  await using archive = opened.file;
  run.expect({ items: claimed.length });
  for (const want of claimed) {
    const slot = slots.get(want.path);
    if (slot !== undefined && (await isInSlot(archive, want, slot, run))) present.add(want.path);
    run.advance({ items: 1 });
  }
  return present;
}

async function isInSlot(
  archive: RegularFile['file'],
  want: BundledFile,
  { header, offset }: Slot,
  run: Run,
): Promise<boolean> {
  const found = await readAt(archive, offset, header.length);
  return found.equals(header) && (await hasBytes(archive, want, offset + header.length, run));
}

async function hasBytes(
  file: RegularFile['file'],
  want: BundledFile,
  offset: number,
  run: Run,
): Promise<boolean> {
  run.expect({ bytes: want.size });
  const hash = digester(splitDigest(want.digest).algorithm);
  for (let done = 0; done < want.size; ) {
    run.signal.throwIfAborted();
    const chunk = await readAt(file, offset + done, Math.min(chunkBytes, want.size - done));
    if (chunk.length === 0) return false;
    hash.update(chunk);
    done += chunk.length;
    run.advance({ bytes: chunk.length });
  }
  return hash.digest() === want.digest;
}
