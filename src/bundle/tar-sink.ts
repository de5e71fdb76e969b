import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskProblem } from '../content/disk-problem.ts';
import type { ByteStream } from '../content/ports.ts';
import { digestOf } from '../oci/digest.ts';
import { syncFolder } from '../shared/atomic-file.ts';
import { systemCode } from '../shared/errors.ts';
import { type Journal, openJournal } from '../shared/journal.ts';
import { canonicalJson } from '../shared/json.ts';
import type { Run } from '../shared/run.ts';
import { encodeHeader, paddedSize, tarEndBytes } from '../shared/tar-header.ts';
import type { BundledFile } from './bundle-manifest.ts';
import { type BundleSink, writeAt, writeVerified } from './sink.ts';

/** Where an entry lies in the archive that is being written. */
interface Slot {
  readonly header: Buffer;
  readonly offset: number;
}

/**
 * Writes a bundle as one `.tar`. The contents are known before a byte is fetched, and so is the place
 * of every entry: entries are written in parallel into `PATH.partial` at their own offsets, and a
 * journal beside it says which are whole. The archive needs its own size on the disk and no more.
 */
export async function openTarSink(
  path: string,
  files: readonly BundledFile[],
): Promise<BundleSink> {
  const { slots, archiveBytes } = planSlots(files);
  const partialPath = `${path}.partial`;
  const journalPath = journalOf(partialPath);
  const plan = digestOf(canonicalJson(files));
  let journal = await openJournal(journalPath);
  if (!startsWithPlan(journal, plan) || (await isLost(partialPath, journal, archiveBytes))) {
    // Another Lock has other offsets: nothing of the old archive can be kept.
    await journal.close();
    await rm(journalPath, { force: true });
    await rm(partialPath, { force: true });
    journal = await openJournal(journalPath);
    await journal.append({ plan });
  }
  const archive = await openArchive(partialPath, archiveBytes);
  return new TarSink({ path, partialPath, journalPath, journal, archive, slots });
}

/** Removes the journal of a finished archive, which a kill right after its publishing leaves behind. */
export async function removeJournalOf(path: string): Promise<void> {
  const partialPath = `${path}.partial`;
  if ((await sizeOf(partialPath)) === undefined) await rm(journalOf(partialPath), { force: true });
}

function journalOf(partialPath: string): string {
  return `${partialPath}.journal`;
}

interface OpenArchive {
  readonly path: string;
  readonly partialPath: string;
  readonly journalPath: string;
  readonly journal: Journal;
  readonly archive: FileHandle;
  readonly slots: ReadonlyMap<string, Slot>;
}

class TarSink implements BundleSink {
  readonly partialPath: string;
  readonly #open: OpenArchive;
  readonly #present: Set<string>;

  constructor(opened: OpenArchive) {
    this.#open = opened;
    this.partialPath = opened.partialPath;
    this.#present = new Set(opened.journal.entries.flatMap(pathOfEntry));
  }

  has(file: BundledFile): boolean {
    return this.#present.has(file.path);
  }

  async write(file: BundledFile, bytes: ByteStream, run: Run): Promise<void> {
    const { archive, slots, journal } = this.#open;
    const slot = slots.get(file.path);
    if (slot === undefined) throw new RangeError(`${file.path} is not in the plan of this archive`);
    try {
      await writeAt(archive, slot.offset, slot.header);
      const offset = slot.offset + slot.header.length;
      await writeVerified({ file: archive, offset }, file, bytes, run);
      // The journal may not claim what a power cut could take away.
      await archive.datasync();
    } catch (error) {
      throw diskProblem(error, this.partialPath, file.size);
    }
    await journal.append({ path: file.path });
    this.#present.add(file.path);
  }

  async publish(): Promise<void> {
    const { archive, journalPath, partialPath, path } = this.#open;
    await archive.sync();
    await rename(partialPath, path);
    await syncFolder(dirname(path));
    await rm(journalPath, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open.archive.close();
    await this.#open.journal.close();
  }
}

function planSlots(files: readonly BundledFile[]) {
  const slots = new Map<string, Slot>();
  let offset = 0;
  for (const file of files) {
    const header = encodeHeader(file);
    slots.set(file.path, { header, offset });
    offset += header.length + paddedSize(file.size);
  }
  return { slots, archiveBytes: offset + tarEndBytes };
}

/** Sets the final length at once: what is not written yet reads as zeros, and padding and end mark are. */
async function openArchive(partialPath: string, archiveBytes: number): Promise<FileHandle> {
  const archive = await open(partialPath, 'a');
  await archive.close();
  const writable = await open(partialPath, 'r+');
  await writable.truncate(archiveBytes);
  await writable.chmod(0o644);
  return writable;
}

/** True when the journal speaks of an archive that somebody removed or cut: its entries are gone. */
async function isLost(
  partialPath: string,
  { entries }: Journal,
  archiveBytes: number,
): Promise<boolean> {
  if (entries.flatMap(pathOfEntry).length === 0) return false;
  return (await sizeOf(partialPath)) !== archiveBytes;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function startsWithPlan(journal: Journal, plan: string): boolean {
  const [first] = journal.entries;
  return first !== undefined && 'plan' in first && first['plan'] === plan;
}

function pathOfEntry(entry: Readonly<Record<string, unknown>>): string[] {
  return typeof entry['path'] === 'string' ? [entry['path']] : [];
}
