/** A lock file that admits one process and is taken over when that process is dead. */
import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { digestOf } from '../oci/digest.ts';
import { systemCode } from '../shared/errors.ts';
import { canonicalJson } from '../shared/json.ts';
import { StoreLocked } from './errors.ts';
import { livenessOf, type ProcessIdentity, thisProcess } from './internal/process-identity.ts';

interface Holder {
  /** Names this one taking of the lock. */
  readonly id: string;
  readonly process: ProcessIdentity;
}

interface Attempt {
  readonly guarded: string;
  readonly lockFile: string;
  readonly holder: Holder;
}

/** Each level stands for a process that was killed in the few lines of {@link replaceDead}. */
const maxLevels = 5;

/**
 * Takes the lock or rejects with STORE_LOCKED, which names the holder; never waits.
 * `guarded` is the folder for the message. The returned function gives the lock back.
 *
 * The lock is a hard link to a file that was complete before, so nobody ever reads half of it.
 */
export async function takeLock(guarded: string, lockFile: string): Promise<() => Promise<void>> {
  const holder: Holder = { id: randomUUID(), process: await thisProcess() };
  await claim({ guarded, lockFile, holder }, lockFile, 0);
  return () => release(lockFile, holder);
}

async function claim(attempt: Attempt, name: string, level: number): Promise<void> {
  for (;;) {
    if (await linkHolder(attempt, name)) return;
    const found = await readHolder(name);
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
    if ((await readHolder(name))?.id !== dead.id) return false;
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

async function writeHolder({ lockFile, holder }: Attempt): Promise<string> {
  const temporary = `${lockFile}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx', 0o644);
  try {
    await file.writeFile(canonicalJson(holder));
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}

async function readHolder(name: string): Promise<Holder | undefined> {
  try {
    return parseHolder(await readFile(name, 'utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
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
  return { id, process: { pid: 0, host: hostname(), boot: 'unreadable', start: '', namespace: '' } };
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  if (!('id' in value && typeof value.id === 'string' && /^[\w-]+$/.test(value.id))) return false;
  if (!('process' in value && typeof value.process === 'object' && value.process)) return false;
  const { process } = value;
  const texts = ['host', 'boot', 'start', 'namespace'].map((key) => Reflect.get(process, key) as unknown);
  const pid: unknown = Reflect.get(process, 'pid');
  return Number.isSafeInteger(pid) && Number(pid) > 0 && texts.every((t) => typeof t === 'string');
}

async function release(lockFile: string, holder: Holder): Promise<void> {
  const found = await readHolder(lockFile);
  if (found?.id === holder.id) await rm(lockFile, { force: true });
}
