import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemCode } from '../../shared/errors.ts';

/**
 * One process on one boot of one machine. Process numbers are used again; together with the start
 * time and the boot they are not. `start`, `boot` and `namespace` are empty where the system does not tell.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  readonly boot: string;
  readonly start: string;
  /** Where its number counts: containers on the network of their host share its name and its boot. */
  readonly namespace: string;
}

/** Whether a process lives; `unknown` if it is on another machine or in another container. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** The process that asks. */
export async function thisProcess(): Promise<ProcessIdentity> {
  const [boot, start, namespace] = await Promise.all([
    bootId(),
    startTime(process.pid),
    processNamespace(),
  ]);
  return { pid: process.pid, host: hostname(), boot, start: start ?? '', namespace };
}

/** Whether the process of `identity` still lives, as `observer` sees it. */
export async function livenessOf(
  identity: ProcessIdentity,
  observer: ProcessIdentity,
): Promise<Liveness> {
  if (identity.host !== observer.host) return 'unknown';
  if (identity.boot !== observer.boot) return 'dead';
  if (identity.namespace !== observer.namespace) return 'unknown';
  if (!exists(identity.pid)) return 'dead';
  const start = await startTime(identity.pid);
  return start === undefined || start === identity.start ? 'alive' : 'dead';
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return systemCode(error) !== 'ESRCH';
  }
}

/** Clock ticks since boot at which the process began: field 22 of proc(5) stat; Linux only. */
async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readText(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets, which may hold spaces and brackets itself.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

async function bootId(): Promise<string> {
  return (await readText('/proc/sys/kernel/random/boot_id'))?.trim() ?? '';
}

/** `pid:[4026531836]`; Linux only. */
async function processNamespace(): Promise<string> {
  try {
    return await readlink('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
