import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { appendAll, appendingAt } from '../content/append-bytes.ts';
import { diskProblem } from '../content/disk-problem.ts';
import { type Digest, digestOf, isDigest, splitDigest } from '../oci/digest.ts';
import { readAt } from '../shared/read-at.ts';
import { SharedRounds } from '../shared/shared-rounds.ts';
import type { ManifestCache } from './ports.ts';

/** Where the bytes of one record lie in the file. */
interface Extent {
  readonly offset: number;
  readonly length: number;
}

interface Waiting {
  readonly digest: Digest;
  readonly bytes: Uint8Array;
}

/** `sha512:` and 128 digits, a blank, a length, a line break: no head is longer. */
const longestHead = 160;
const headPattern = /^(sha[0-9]+:[0-9a-f]+) ([0-9]{1,15})\n/;

/**
 * Manifests and configs that a plan has read, in one file that only grows: `DIGEST LENGTH`, a line
 * break, the bytes, a line break. A plan that is killed goes on from it (promise P4).
 *
 * Nothing is synced to the disk, since everything can be read again from its registry: what a kill
 * or a power cut leaves behind is checked against its digest, and a damaged end is cut off (P5).
 * One file, since a file for each of thousands of small documents costs more than to fetch them.
 */
export class ReadingJournal implements ManifestCache, AsyncDisposable {
  readonly isNew: boolean;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #extents: Map<Digest, Extent>;
  readonly #waiting: Waiting[] = [];
  readonly #writes = new SharedRounds(() => this.#append(this.#waiting.splice(0)));
  #end: number;

  private constructor(path: string, file: FileHandle, found: Found) {
    this.#path = path;
    this.#file = file;
    this.#extents = found.extents;
    this.#end = found.end;
    this.isNew = found.extents.size === 0;
  }

  /** Opens or makes the file; only one process may have it open. */
  static async open(path: string): Promise<ReadingJournal> {
    const file = await open(
      path,
      constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW,
      0o644,
    );
    try {
      const found = await readExtents(file);
      await file.truncate(found.end);
      return new ReadingJournal(path, file, found);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get isEmpty(): boolean {
    return this.#extents.size === 0;
  }

  async find(digest: Digest): Promise<Uint8Array | undefined> {
    const extent = this.#extents.get(digest);
    if (extent === undefined) return undefined;
    const bytes = await readAt(this.#file, extent.offset, extent.length);
    if (digestOf(bytes, splitDigest(digest).algorithm) === digest) return bytes;
    this.#extents.delete(digest);
    return undefined;
  }

  /** Resolves once the bytes are written; what is kept meanwhile goes along in one write. DISK_FULL. */
  keep(digest: Digest, bytes: Uint8Array): Promise<void> {
    if (this.#extents.has(digest)) return Promise.resolve();
    this.#waiting.push({ digest, bytes });
    return this.#writes.next();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writes.settled();
    await this.#file.close();
  }

  async #append(batch: readonly Waiting[]): Promise<void> {
    const parts = batch.map(({ digest, bytes }) => {
      return { digest, bytes, head: Buffer.from(`${digest} ${bytes.length}\n`) };
    });
    const text = Buffer.concat(parts.flatMap(({ head, bytes }) => [head, bytes, lineBreak]));
    try {
      await appendAll(appendingAt(this.#file, this.#end), [text]);
    } catch (error) {
      throw diskProblem(error, this.#path, text.length);
    }
    for (const { digest, bytes, head } of parts) {
      this.#extents.set(digest, { offset: this.#end + head.length, length: bytes.length });
      this.#end += head.length + bytes.length + 1;
    }
  }
}

const lineBreak = Buffer.from('\n');

interface Found {
  readonly extents: Map<Digest, Extent>;
  /** Behind the last record that is whole. */
  readonly end: number;
}

/** Walks from head to head; the bytes themselves are checked when they are used. */
async function readExtents(file: FileHandle): Promise<Found> {
  const { size } = await file.stat();
  const extents = new Map<Digest, Extent>();
  let end = 0;
  while (end < size) {
    const head = await readAt(file, end, Math.min(longestHead, size - end));
    const [line = '', digest = '', digits = ''] = headPattern.exec(head.toString('latin1')) ?? [];
    const extent = { offset: end + line.length, length: Number(digits) };
    const next = extent.offset + extent.length + 1;
    if (!isDigest(digest) || next > size) break;
    extents.set(digest, extent);
    end = next;
  }
  return { extents, end };
}
