import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readAsset } from '../../shared/assets.ts';
import { systemCode } from '../../shared/errors.ts';
import { alignColumns } from '../columns.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { StarterExists } from '../errors.ts';
import { shellLine } from '../shell-line.ts';

const starter = [
  { name: 'release.yaml', says: 'what is installed' },
  { name: 'policy.yaml', says: 'where each class of image lives, and what may travel' },
  { name: 'site.yaml', says: 'one place: its registries and its nodes' },
] as const;

/** Writes the starter set into a folder, or nothing if one of its files is there. STARTER_EXISTS. */
export async function runInit(
  context: CommandContext,
  typed: string | undefined,
): Promise<CommandResult> {
  const folder = resolve(context.environment.cwd, typed ?? '.');
  const shown = (name: string) => (typed === undefined ? name : join(typed, name));
  const present = await presentFiles(folder);
  if (present.length > 0) throw new StarterExists({ files: present.map(shown) });
  await mkdir(folder, { recursive: true });
  for (const { name } of starter) await writeNew(folder, name, shown(name));
  return {
    json: { folder, files: starter.map(({ name }) => shown(name)) },
    text: formatInit(typed, shown),
  };
}

async function presentFiles(folder: string): Promise<readonly string[]> {
  const present: string[] = [];
  for (const { name } of starter) {
    if (await isThere(join(folder, name))) present.push(name);
  }
  return present;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Opened exclusively, so that a file which appeared meanwhile is not overwritten either. */
async function writeNew(folder: string, name: string, shown: string): Promise<void> {
  try {
    await writeFile(join(folder, name), await readAsset(`data/starter/${name}`), { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new StarterExists({ files: [shown] });
    throw error;
  }
}

function formatInit(typed: string | undefined, shown: (name: string) => string): string {
  const rows = starter.map(({ name, says }) => [shown(name), says]);
  const [release, policy] = starter.map(({ name }) => shown(name));
  return [
    `a set to start with is in ${typed ?? 'this folder'}`,
    '',
    ...alignColumns(rows).map((line) => `  ${line}`),
    '',
    'Put in your images and registries, then',
    `next: ${shellLine(['slipway', 'plan', release ?? '', policy ?? ''])}`,
  ].join('\n');
}
