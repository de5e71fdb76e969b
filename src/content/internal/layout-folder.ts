/** The folder of an OCI image layout: its marker file, its lock, and what a killed run left in it. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeFileAtomic } from '../../shared/atomic-file.ts';
import { systemCode } from '../../shared/errors.ts';
import { LayoutInvalid } from '../errors.ts';
import { takeLock } from '../lock-file.ts';

const lockName = '.slipway-lock';
const marker = { imageLayoutVersion: '1.0.0' };

/** Where blobs are gathered; gone once the store is closed. Readers of layouts ignore it. */
export const ingestFolder = '.slipway-ingest';

/** A checked folder; `close` gives back the lock, if there is one, and may be called twice. */
export interface OpenedLayout {
  readonly root: string;
  readonly isWritable: boolean;
  close(): Promise<void>;
}

/** Checks the folder; to write, also makes it, locks it and tidies it up. */
export async function openLayoutFolder(path: string, write: boolean): Promise<OpenedLayout> {
  const root = resolve(path);
  if (!write) {
    if (!(await hasMarker(root))) throw new LayoutInvalid({ path: root, reason: 'no oci-layout' });
    return { root, isWritable: false, close: async () => {} };
  }
  await mkdir(root, { recursive: true });
  const releaseLock = await takeLock(root, join(root, lockName));
  try {
    await prepare(root);
  } catch (error) {
    await releaseLock();
    throw error;
  }
  const close = async () => {
    await rm(join(root, ingestFolder), { recursive: true, force: true });
    await releaseLock();
  };
  return { root, isWritable: true, close: once(close) };
}

async function prepare(root: string): Promise<void> {
  const names = await readdir(root);
  const leftovers = names.filter(
    (name) => name === ingestFolder || name.startsWith(`${lockName}.`) || isTemporary(name),
  );
  for (const name of leftovers) await rm(join(root, name), { recursive: true, force: true });
  if (await hasMarker(root)) return;
  const foreign = names.find((name) => !name.startsWith('.'));
  if (foreign !== undefined) {
    const reason = `it has no oci-layout, but something else: ${foreign}`;
    throw new LayoutInvalid({ path: root, reason });
  }
  await writeFileAtomic(join(root, 'oci-layout'), JSON.stringify(marker));
}

/** What {@link writeFileAtomic} leaves behind of the layout's own files when it is killed. */
function isTemporary(name: string): boolean {
  return /^\.(oci-layout|index\.json)\..*\.tmp$/.test(name);
}

async function hasMarker(root: string): Promise<boolean> {
  const path = join(root, 'oci-layout');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
  if (versionIn(text) !== marker.imageLayoutVersion) {
    const reason = `oci-layout does not say imageLayoutVersion ${marker.imageLayoutVersion}`;
    throw new LayoutInvalid({ path: root, reason });
  }
  return true;
}

function versionIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'imageLayoutVersion' in value
      ? value.imageLayoutVersion
      : undefined;
  } catch {
    return undefined;
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
