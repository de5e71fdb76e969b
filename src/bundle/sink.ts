import type { ByteStream } from '../content/ports.ts';
import type { DurableFiles } from '../shared/durable-files.ts';
import type { Run } from '../shared/run.ts';
import type { BundledFile } from './bundle-manifest.ts';

/**
 * A bundle being written: a folder or one `.tar`. Entries may be written in any order and at the same
 * time. Under its final name the bundle appears only in `publish`, whole; what an earlier, killed run
 * finished is still there (`has`) and is not fetched again (promise P4).
 */
export interface BundleSink extends AsyncDisposable {
  /** Where the unfinished bundle lies, for messages. */
  readonly partialPath: string;
  has(file: BundledFile): boolean;
  /** Checks size and digest while the bytes pass; a failed write leaves the entry unwritten (DISK_FULL). */
  write(file: BundledFile, bytes: ByteStream, run: Run): Promise<void>;
  /** Call once, after every entry was written. BUNDLE_EXISTS if somebody has taken the name meanwhile. */
  publish(run: Run): Promise<void>;
}

/**
 * Opens the way to `path` for these files: cleans up what an earlier run left unfinished, and makes nothing
 * before the first write. Rejects with BUNDLE_PARTIAL_FOREIGN if what lies there bears no mark of ours.
 */
export type OpenSink = (
  path: string,
  files: readonly BundledFile[],
  run: Run,
  disk?: DurableFiles,
) => Promise<BundleSink>;
