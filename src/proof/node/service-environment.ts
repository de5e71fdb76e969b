import type { ConfigTree } from '../../mirrors/config-tree.ts';
import { compareText } from '../../shared/json.ts';
import {
  type Assignment,
  expandSpecifiers,
  readAssignments,
  readEnvironmentFile,
  readUnitFile,
  splitWords,
  type UnitSetting,
} from './unit-file.ts';

/** A variable of a service, and the file of the node that sets it. */
export interface ServiceVariable {
  readonly value: string;
  readonly file: string;
}

/** The environment that systemd gives to a service, by the names of its variables. */
export type ServiceEnvironment = ReadonlyMap<string, ServiceVariable>;

/** Where units lie; the first folder that has one wins. Source: systemd.unit(5). */
const unitFolders = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];
const managerFolders = ['/etc/systemd', '/run/systemd', '/usr/lib/systemd'];

/**
 * The environment that systemd starts a service with, as far as its files on the node say so:
 * `readServiceEnvironment(tree, 'containerd.service')` → `HTTPS_PROXY` from a drop-in.
 *
 * The unit, its drop-ins and the manager's DefaultEnvironment count; files named by EnvironmentFile
 * win over Environment. What a running manager was told by `systemctl set-environment` is in no file.
 * Source: systemd.unit(5), systemd.exec(5), systemd-system.conf(5).
 */
export async function readServiceEnvironment(
  tree: ConfigTree,
  unit: string,
): Promise<ServiceEnvironment> {
  const reader = new EnvironmentReader(tree, unit);
  const manager = await firstOf(tree, managerFolders, 'system.conf');
  const managerFiles = [manager, ...(await dropIns(tree, managerFolders, ['system.conf.d']))];
  for (const file of managerFiles) await reader.take(file, 'Manager');
  const service = await firstOf(tree, unitFolders, unit);
  const serviceFiles = [service, ...(await dropIns(tree, unitFolders, [`${unit}.d`, 'service.d']))];
  for (const file of serviceFiles) await reader.take(file, 'Service');
  return reader.environment();
}

/** True when one of the folders of units has it. */
export async function hasUnit(tree: ConfigTree, unit: string): Promise<boolean> {
  return (await firstOf(tree, unitFolders, unit)) !== undefined;
}

async function firstOf(tree: ConfigTree, folders: readonly string[], name: string) {
  for (const folder of folders) {
    if ((await tree.read(`${folder}/${name}`)).kind !== 'missing') return `${folder}/${name}`;
  }
  return undefined;
}

/** All of them by their names; of one name only the first counts. */
async function dropIns(tree: ConfigTree, folders: readonly string[], names: readonly string[]) {
  const found = new Map<string, string>();
  for (const folder of names.flatMap((name) => folders.map((parent) => `${parent}/${name}`))) {
    for (const { name } of await tree.list(folder)) {
      if (name.endsWith('.conf') && !found.has(name)) found.set(name, `${folder}/${name}`);
    }
  }
  return Array.from(found)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, file]) => file);
}

/** What the files said until now: a later one adds to it, takes away from it, or begins anew. */
class EnvironmentReader {
  readonly #tree: ConfigTree;
  readonly #defaults = new Map<string, ServiceVariable>();
  readonly #variables = new Map<string, ServiceVariable>();
  readonly #unset = new Set<string>();
  readonly #unit: string;
  #files: string[] = [];

  constructor(tree: ConfigTree, unit: string) {
    this.#tree = tree;
    this.#unit = unit;
  }

  async take(file: string | undefined, section: string): Promise<void> {
    if (file === undefined) return;
    for (const setting of readUnitFile(await textOf(this.#tree, file))) {
      if (setting.section === section) this.#apply(setting, file);
    }
  }

  async environment(): Promise<ServiceEnvironment> {
    const all = new Map([...this.#defaults, ...this.#variables]);
    for (const file of this.#files) {
      set(all, readEnvironmentFile(await textOf(this.#tree, file)), file);
    }
    for (const word of this.#unset) {
      const [name = '', ...value] = word.split('=');
      if (value.length === 0 || all.get(name)?.value === value.join('=')) all.delete(name);
    }
    return all;
  }

  #apply({ key, value: written }: UnitSetting, file: string): void {
    const value = expandSpecifiers(written, this.#unit);
    switch (key) {
      case 'DefaultEnvironment':
        add(this.#defaults, value, file);
        return;
      case 'Environment':
        add(this.#variables, value, file);
        return;
      case 'EnvironmentFile':
        // A minus in front: the file may be missing.
        this.#files = value === '' ? [] : [...this.#files, value.replace(/^-/, '')];
        return;
      case 'UnsetEnvironment':
        if (value === '') this.#unset.clear();
        for (const word of splitWords(value)) this.#unset.add(word);
    }
  }
}

function add(to: Map<string, ServiceVariable>, value: string, file: string): void {
  if (value === '') to.clear();
  set(to, readAssignments(value), file);
}

function set(to: Map<string, ServiceVariable>, all: readonly Assignment[], file: string): void {
  for (const [name, value] of all) to.set(name, { value, file });
}

async function textOf(tree: ConfigTree, file: string): Promise<string> {
  const entry = await tree.read(file);
  return entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : '';
}
