/** What an earlier run left of a `.tar`: the archive so far, and the journal that marks it as ours. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { type DurableFiles, systemFiles } from '../shared/durable-files.ts';
import { type Journal, type JournalEntry, openJournal } from '../shared/journal.ts';
import { lstatIfThere } from '../shared/lstat-if-there.ts';
import { readAt } from '../shared/read-at.ts';
import { BundlePartialForeign } from './errors.ts';

/** The paths of an unfinished archive and its journal, what is to be in it, and its size when whole. */
export interface ArchivePlan {
  readonly partialPath: string;
  /** Digest of the list of files: another list has other offsets. */
  readonly plan: string;
  readonly archiveBytes: number;
}

/** Both files, open for writing. */
export interface OpenArchive {
  readonly archive: FileHandle;
  readonly journal: Journal;
}

/** What our journals begin with. */
const journalMark = '{"plan":"';

/**
 * The paths that an earlier run of the same plan finished. What is of no use, such as an archive of another plan,
 * is removed; what bears no mark of ours ends with BUNDLE_PARTIAL_FOREIGN and is left alone.
 */
export async function finishedEntries(plan: ArchivePlan): Promise<ReadonlySet<string>> {
  const { partialPath, archiveBytes } = plan;
  const journalPath = journalOf(partialPath);
  const archive = await lstatIfThere(partialPath);
  if (archive?.isFile() === false) throw foreign(partialPath, 'it is no file');
  await requireMark(journalPath);
  const entries = await readJournal(journalPath);
  const [first] = entries;
  if (archive !== undefined && typeof first?.['plan'] !== 'string') {
    throw foreign(partialPath, 'no journal of slipway lies beside it');
  }
  if (first?.['plan'] === plan.plan && archive?.size === archiveBytes) {
    return new Set(entries.flatMap(pathOfEntry));
  }
  // The journal last: while there is an archive, its mark stays.
  await rm(partialPath, { force: true });
  await rm(journalPath, { force: true });
  return new Set();
}

/** Opens both for writing; makes those that are not there, the journal first. */
export async function openArchive(
  { partialPath, plan, archiveBytes }: ArchivePlan,
  disk: DurableFiles = systemFiles,
): Promise<OpenArchive> {
  const journal = await openJournal(journalOf(partialPath), (path) => disk.open(path, 'a', 0o600));
  try {
    if (journal.entries.length > 0) {
      return { journal, archive: await disk.open(partialPath, 'r+') };
    }
    await journal.append({ plan });
    const archive = await disk.open(partialPath, 'wx+');
    // At its final length at once: what is not written yet reads as zeros, and padding and end mark are.
    await archive.truncate(archiveBytes);
    await archive.chmod(0o644);
    return { journal, archive };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** `x.tar.partial` → `x.tar.partial.journal`. */
export function journalOf(partialPath: string): string {
  return `${partialPath}.journal`;
}

/** Whether a journal lies beside a finished archive, as a kill right after its publishing leaves it. */
export async function hasJournal(path: string): Promise<boolean> {
  return (await lstatIfThere(journalOf(`${path}.partial`))) !== undefined;
}

/** Removes the journal of a finished archive, which a kill right after its publishing leaves behind. */
export async function removeJournalOf(path: string): Promise<void> {
  const partialPath = `${path}.partial`;
  if ((await lstatIfThere(partialPath)) !== undefined) return;
  if (await isMarked(journalOf(partialPath))) await rm(journalOf(partialPath), { force: true });
}

async function requireMark(journalPath: string): Promise<void> {
  if (!(await isMarked(journalPath))) throw foreign(journalPath, 'it is no journal of slipway');
}

/** True too for a journal that is not there, or whose first line a crash has torn. */
async function isMarked(journalPath: string): Promise<boolean> {
  const found = await lstatIfThere(journalPath);
  if (found === undefined) return true;
  if (!found.isFile()) return false;
  await using file = await open(journalPath, 'r');
  const start = await readAt(file, 0, journalMark.length);
  return journalMark.startsWith(start.toString('latin1'));
}

async function readJournal(path: string): Promise<readonly JournalEntry[]> {
  if ((await lstatIfThere(path)) === undefined) return [];
  await using journal = await openJournal(path);
  return journal.entries;
}

function pathOfEntry(entry: JournalEntry): string[] {
  return typeof entry['path'] === 'string' ? [entry['path']] : [];
}

function foreign(path: string, why: string) {
  return new BundlePartialForeign({ path, why });
}
