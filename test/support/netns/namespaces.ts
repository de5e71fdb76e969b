import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { runProgram } from '../tools/run-program.ts';
import { ip } from './commands.ts';

const folder = '/run/netns';
const ownName = /^slipway-(\d+)-/;

/** A network namespace that goes away with its disposal. */
export interface Namespace extends AsyncDisposable {
  readonly name: string;
}

/**
 * Makes a network namespace `slipway-<pid>-<role>` with its loopback up and IPv6 off.
 * Removes first what a killed run of these tests left: namespaces of ours whose process is gone.
 */
export async function addNamespace(role: string): Promise<Namespace> {
  await removeAbandoned();
  const hadFolder = existsSync(folder);
  const name = `slipway-${process.pid}-${role}`;
  await ip(`netns add ${name}`);
  const forget = deleteOnSignal(name);
  await ip(`-n ${name} link set lo up`);
  return {
    name,
    [Symbol.asyncDispose]: async () => {
      forget();
      await ip(`netns del ${name}`);
      if (!hadFolder) await removeFolder();
    },
  };
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Who is ended from outside disposes of nothing, and a namespace outlives its process. */
function deleteOnSignal(name: string): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    spawnSync('ip', ['netns', 'del', name]);
    // The last one lets the signal do what it does without listeners.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const forget = () => {
    for (const ending of endings) process.off(ending, onSignal);
  };
  for (const ending of endings) process.once(ending, onSignal);
  return forget;
}

async function removeAbandoned(): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of await readdir(folder)) {
    const owner = ownName.exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) await ip(`netns del ${name}`);
  }
}

/** `ip netns add` mounts its folder onto itself; take that back when we were the first. */
async function removeFolder(): Promise<void> {
  if ((await readdir(folder)).length > 0) return;
  await runProgram(['umount', folder], { okCodes: [0, 32] });
  await rmdir(folder);
}
