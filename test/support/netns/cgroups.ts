import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../wait-until.ts';

const root = '/sys/fs/cgroup';

/** The node's own group in each hierarchy of this machine; removed with its disposal. */
export interface NodeCgroups extends AsyncDisposable {
  readonly folders: readonly string[];
}

/**
 * Makes a group `slipway-<pid>-<name>` in the one hierarchy of cgroup v2, or in each mounted
 * hierarchy of v1. Disposal waits until the kernel lets the last process go (at most 20 s).
 */
export async function addCgroups(name: string): Promise<NodeCgroups> {
  const folders: string[] = [];
  for (const hierarchy of await hierarchies()) {
    await removeAbandoned(hierarchy);
    const folder = join(hierarchy, `slipway-${process.pid}-${name}`);
    await mkdir(folder);
    folders.push(folder);
    if (existsSync(join(folder, 'cpuset.mems'))) await inheritCpuset(hierarchy, folder);
  }
  return { folders, [Symbol.asyncDispose]: () => removeGroups(folders) };
}

async function hierarchies(): Promise<readonly string[]> {
  if (existsSync(join(root, 'cgroup.controllers'))) return [root];
  const entries = await readdir(root, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()); // no links such as cpu -> cpu,cpuacct
  return folders.map((entry) => join(root, entry.name)).sort();
}

/** What a killed run left: groups of ours whose process is gone. */
async function removeAbandoned(hierarchy: string): Promise<void> {
  for (const name of await readdir(hierarchy)) {
    const owner = /^slipway-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`))
      await removeTree(join(hierarchy, name));
  }
}

/** A new cpuset of cgroup v1 is empty and takes no process until both lists are set. */
async function inheritCpuset(from: string, folder: string): Promise<void> {
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    await writeFile(join(folder, file), await readFile(join(from, file)));
  }
}

async function removeGroups(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await waitUntil(() => removeTree(folder), { what: `${folder} to be empty`, timeoutMs: 20_000 });
  }
}

/** Groups are removed from the leaves up; only folders count, the files in them are the kernel's. */
async function removeTree(folder: string): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  }
  await rmdir(folder);
  return true;
}
