/** An append-only journal of JSON lines: what a long operation has done, across crashes. */
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './atomic-file.ts';
import { JournalBroken, JournalUnwritable, systemCode } from './errors.ts';
import { redact, Secret } from './secret.ts';
import { SharedRounds } from './shared-rounds.ts';

/** One line of a journal: a JSON object of the writer's own making. */
export type JournalEntry = Readonly<Record<string, unknown>>;

/** See {@link openJournal}. */
export interface Journal extends AsyncDisposable {
  /** What earlier runs wrote, in order; not what this run appends. */
  readonly entries: readonly JournalEntry[];
  /**
   * Resolves when the entry survives a power cut; entries appended at the same time share one
   * fsync. Credentials are replaced by `[secret]`. Rejects with JOURNAL_UNWRITABLE.
   */
  append(entry: JournalEntry): Promise<void>;
  /** Waits for what is being appended. Closing twice is safe. */
  close(): Promise<void>;
}

/** How the file is opened for appending; tests give a device that is full. */
export type OpenForAppend = (path: string) => Promise<FileHandle>;

/**
 * Opens or makes the journal at `path`: `{ entries: [{ path: 'index.json' }], append, close }`.
 *
 * A last line that a crash tore is cut off; its entry never counted. Anything else that is no JSON
 * object ends with JOURNAL_BROKEN and its line. One process at a time: the caller holds a lock.
 */
export async function openJournal(
  path: string,
  openForAppend: OpenForAppend = (name) => open(name, 'a', 0o600),
): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true });
  const text = await readIfThere(path);
  const wholeBytes = text.lastIndexOf(0x0a) + 1;
  const entries = parseLines(text.subarray(0, wholeBytes).toString('utf8'), path);
  const file = await openForAppend(path);
  try {
    if (wholeBytes !== text.length) await file.truncate(wholeBytes);
    await syncFolder(dirname(path));
    return new OpenJournal({ path, file, entries, wholeBytes });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function parseLines(text: string, path: string): JournalEntry[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, at) => parseLine(line, path, at + 1));
}

function parseLine(line: string, path: string, lineNumber: number): JournalEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new JournalBroken({ path, line: lineNumber }, { cause: error });
  }
  if (isEntry(value)) return value;
  throw new JournalBroken({ path, line: lineNumber });
}

function isEntry(value: unknown): value is JournalEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface JournalFile {
  readonly path: string;
  readonly file: FileHandle;
  readonly entries: readonly JournalEntry[];
  readonly wholeBytes: number;
}

class OpenJournal implements Journal {
  readonly entries: readonly JournalEntry[];
  readonly #path: string;
  readonly #file: FileHandle;
  #wholeBytes: number;
  #waiting: string[] = [];
  readonly #writes = new SharedRounds(() => this.#writeWaiting());
  #closing: Promise<void> | undefined;

  constructor({ path, file, entries, wholeBytes }: JournalFile) {
    this.entries = entries;
    this.#path = path;
    this.#file = file;
    this.#wholeBytes = wholeBytes;
  }

  append(entry: JournalEntry): Promise<void> {
    this.#waiting.push(`${JSON.stringify(withoutSecrets(entry))}\n`);
    return this.#writes.next();
  }

  close(): Promise<void> {
    this.#closing ??= this.#writes.settled().then(() => this.#file.close());
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #writeWaiting(): Promise<void> {
    const bytes = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    try {
      await this.#file.appendFile(bytes);
      await this.#file.datasync();
      this.#wholeBytes += bytes.length;
    } catch (error) {
      // What was written of it would otherwise run into the next entry.
      await this.#file.truncate(this.#wholeBytes).catch(() => {});
      throw new JournalUnwritable({ path: this.#path }, { cause: error });
    }
  }
}

const secretKeys =
  /^(?:password|passwd|token|access_?token|refresh_?token|identity_?token|auth|authorization|client_?secret|private_?key)$/i;

/** The entry as it may be kept on a disk for years (promise P7). */
function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object' || value instanceof Secret) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      secretKeys.test(key) && typeof item === 'string' ? '[secret]' : withoutSecrets(item),
    ]),
  );
}
