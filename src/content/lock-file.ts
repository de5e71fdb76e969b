/** A lock file that admits one process and is taken over when that process is dead. */
import { randomUUID } from 'node:crypto';
import { link, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { digestOf } from '../oci/digest.ts';
import { type DurableFiles, systemFiles } from '../shared/durable-files.ts';
import { systemCode } from '../shared/errors.ts';
import { canonicalJson } from '../shared/json.ts';
import { lstatIfThere } from '../shared/lstat-if-there.ts';
import { readAt } from '../shared/read-at.ts';
import { diskProblem } from './disk-problem.ts';
import { LockFileForeign, StoreLocked } from './errors.ts';
import { livenessOf, type ProcessIdentity, thisProcess } from './internal/process-identity.ts';
import { openRegularFile } from './open-regular-file.ts';

interface Holder {
  /** Names this one taking of the lock. */
  readonly id: string;
  readonly process: ProcessIdentity;
}

interface Attempt {
  readonly guarded: string;
  readonly lockFile: string;
  readonly holder: Holder;
  readonly disk: DurableFiles;
}

/** Many times what we write; of a larger file only the beginning is read, which is no holder. */
const maxHolderBytes = 64 * 1024;

/** Each level stands for a process that was killed in the few lines of {@link replaceDead}. */
const maxLevels = 5;

/**
 * Takes the lock or rejects with STORE_LOCKED, which names the holder; never waits. LOCK_FILE_FOREIGN if
 * the name belongs to a pipe, a link or a folder; DISK_FULL.
 * `guarded` is the folder for the message. The returned function gives the lock back.
 *
 * The lock is a hard link to a file that was complete before, so nobody ever reads half of it.
 */
export async function takeLock(
  guarded: string,
  lockFile: string,
  disk: DurableFiles = systemFiles,
): Promise<() => Promise<void>> {
  const holder: Holder = { id: randomUUID(), process: await thisProcess() };
  const attempt = { guarded, lockFile, holder, disk };
  await claim(attempt, lockFile, 0);
  await removeTemporaries(lockFile);
  return () => release(attempt);
}

/**
 * A process that was killed while it wrote its holder left the file behind. One that still lives sees
 * that its file is gone, asks again, and finds us.
 */
async function removeTemporaries(lockFile: string): Promise<void> {
  const [folder, start] = [dirname(lockFile), `${basename(lockFile)}.`];
  for (const name of await readdir(folder)) {
    const isOurs = name.startsWith(start) && temporaryEnd.test(name.slice(start.length));
    if (isOurs) await rm(join(folder, name), { force: true });
  }
}

const temporaryEnd = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

async function claim(attempt: Attempt, name: string, level: number): Promise<void> {
  for (;;) {
    if (await linkHolder(attempt, name)) return;
    const found = await readHolder(attempt, name);
    if (found === undefined) continue;
    await requireDead(attempt, found, level);
    if (await replaceDead(attempt, name, found, level)) return;
  }
}

/**
 * Puts our lock in the place of a dead one. Of several processes that saw the same dead lock, only
 * the one that holds the claim named after it may do so, and only if it is still there then.
 */
async function replaceDead(
  attempt: Attempt,
  name: string,
  dead: Holder,
  level: number,
): Promise<boolean> {
  const permit = `${name}.${dead.id}`;
  await claim(attempt, permit, level + 1);
  try {
    if ((await readHolder(attempt, name))?.id !== dead.id) return false;
    const temporary = await writeHolder(attempt);
    await rename(temporary, name);
    return true;
  } finally {
    await rm(permit, { force: true });
  }
}

async function requireDead(
  { guarded, lockFile, holder }: Attempt,
  found: Holder,
  level: number,
): Promise<void> {
  const liveness = await livenessOf(found.process, holder.process);
  if (liveness === 'dead' && level < maxLevels) return;
  const { pid, host } = found.process;
  throw new StoreLocked({ path: guarded, lockFile, pid, host, isVisible: liveness === 'alive' });
}

/** True if `name` did not exist and is ours now. */
async function linkHolder(attempt: Attempt, name: string): Promise<boolean> {
  const temporary = await writeHolder(attempt);
  try {
    await link(temporary, name);
    return true;
  } catch (error) {
    const code = systemCode(error);
    // ENOENT: a new owner has tidied up, our temporary file included.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeHolder({ lockFile, holder, disk }: Attempt): Promise<string> {
  const temporary = `${lockFile}.${randomUUID()}.tmp`;
  const text = canonicalJson(holder);
  try {
    const file = await disk.open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw diskProblem(error, temporary, text.length);
  }
  return temporary;
}

/** Undefined if nothing bore the name. */
async function readHolder({ guarded }: Attempt, name: string): Promise<Holder | undefined> {
  const opened = await openRegularFile(name);
  if (opened === undefined) {
    const found = await lstatIfThere(name);
    // A file is one that was made in between: whoever asks looks again.
    if (found === undefined || found.isFile()) return undefined;
    // To read a pipe could wait for ever, and a link leads to somebody else's file.
    throw new LockFileForeign({ path: guarded, lockFile: name });
  }
  await using file = opened.file;
  return parseHolder((await readAt(file, 0, maxHolderBytes)).toString('utf8'));
}

/** What is no lock of ours (emptied by a power cut, say) counts as held by a dead process. */
function parseHolder(text: string): Holder {
  try {
    const value: unknown = JSON.parse(text);
    if (isHolder(value)) return value;
  } catch {
    // Falls through: not JSON.
  }
  const id = digestOf(text).slice(-32);
  return {
    id,
    process: { pid: 0, host: hostname(), boot: 'unreadable', start: '', namespace: '' },
  };
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  if (!('id' in value && typeof value.id === 'string' && /^[\w-]+$/.test(value.id))) return false;
  if (!('process' in value && typeof value.process === 'object' && value.process)) return false;
  const { process } = value;
  const texts = ['host', 'boot', 'start', 'namespace'].map(
    (key) => Reflect.get(process, key) as unknown,
  );
  const pid: unknown = Reflect.get(process, 'pid');
  return Number.isSafeInteger(pid) && Number(pid) > 0 && texts.every((t) => typeof t === 'string');
}

async function release(attempt: Attempt): Promise<void> {
  const { lockFile, holder } = attempt;
  const found = await readHolder(attempt, lockFile);
  if (found?.id === holder.id) await rm(lockFile, { force: true });
}
