import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendAll, appendingAt } from '../content/append-bytes.ts';
import { diskProblem } from '../content/disk-problem.ts';
import type { ByteStream } from '../content/ports.ts';
import { digestOf } from '../oci/digest.ts';
import { syncFolder } from '../shared/atomic-file.ts';
import { type DurableFiles, systemFiles } from '../shared/durable-files.ts';
import { canonicalJson } from '../shared/json.ts';
import type { Run } from '../shared/run.ts';
import { SharedRounds } from '../shared/shared-rounds.ts';
import type { BundledFile } from './bundle-manifest.ts';
import { requireFreeName } from './free-name.ts';
import {
  type ArchivePlan,
  finishedEntries,
  journalOf,
  type OpenArchive,
  openArchive,
} from './partial-archive.ts';
import type { BundleSink } from './sink.ts';
import { layOutTar, type Slot } from './tar-layout.ts';
import { wholeSlots } from './whole-entries.ts';
import { writeVerified } from './write-verified.ts';

/**
 * Writes a bundle as one `.tar`. The contents are known before a byte is fetched, and so is the place
 * of every entry: entries are written in parallel into `PATH.partial` at their own offsets, and a
 * journal beside it says which are whole. The archive needs its own size on the disk and no more.
 * See {@link OpenSink}.
 */
export async function openTarSink(
  path: string,
  files: readonly BundledFile[],
  run: Run,
  disk: DurableFiles = systemFiles,
): Promise<BundleSink> {
  run.signal.throwIfAborted();
  const { slots, archiveBytes } = layOutTar(files);
  const partialPath = `${path}.partial`;
  const plan = { partialPath, plan: digestOf(canonicalJson(files)), archiveBytes };
  const claimed = await finishedEntries(plan);
  const kept = files.filter((file) => claimed.has(file.path));
  const present = await wholeSlots(partialPath, kept, slots, run);
  return new TarSink({ path, plan, slots, present, disk });
}

interface TarSinkParts {
  readonly path: string;
  readonly plan: ArchivePlan;
  readonly slots: ReadonlyMap<string, Slot>;
  readonly present: Set<string>;
  readonly disk: DurableFiles;
}

class TarSink implements BundleSink {
  readonly partialPath: string;
  readonly #parts: TarSinkParts;
  #opened: Promise<OpenArchive & { readonly syncs: SharedRounds }> | undefined;

  constructor(parts: TarSinkParts) {
    this.#parts = parts;
    this.partialPath = parts.plan.partialPath;
  }

  has(file: BundledFile): boolean {
    return this.#parts.present.has(file.path);
  }

  async write(file: BundledFile, bytes: ByteStream, run: Run): Promise<void> {
    const { slots, present } = this.#parts;
    const slot = slots.get(file.path);
    if (slot === undefined) throw new RangeError(`${file.path} is not in the plan of this archive`);
    try {
      const { archive, syncs } = await this.#open();
      const place = appendingAt(archive, slot.offset);
      await appendAll(place, [slot.header]);
      const flush = () => syncs.next();
      await writeVerified({ file: place, flush }, file, bytes, run);
      // The journal may not claim what a power cut could take away.
      await syncs.next();
    } catch (error) {
      throw diskProblem(error, this.partialPath, file.size);
    }
    const { journal } = await this.#open();
    await journal.append({ path: file.path });
    present.add(file.path);
  }

  async publish(run: Run): Promise<void> {
    const { path, disk } = this.#parts;
    const { archive } = await this.#open();
    await archive.sync();
    run.signal.throwIfAborted();
    await requireFreeName(path);
    await disk.rename(this.partialPath, path);
    await syncFolder(dirname(path), disk);
    await rm(journalOf(this.partialPath), { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.archive.close();
    await opened?.journal.close();
  }

  #open() {
    this.#opened ??= this.#openOnce();
    return this.#opened;
  }

  async #openOnce() {
    const { plan, disk } = this.#parts;
    const opened = await openArchive(plan, disk);
    // The kernel tells once that it could not write, and perhaps not to the one whose bytes are lost:
    // after a failure every further sync fails too.
    let synced = Promise.resolve();
    const sync = () => {
      synced = synced.then(() => opened.archive.datasync());
      return synced;
    };
    return { ...opened, syncs: new SharedRounds(sync) };
  }
}
