import { randomUUID } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '../../shared/errors.ts';
import { formatBytes } from '../../shared/quantities.ts';
import { type Check, type Finding, ok } from './check.ts';

/** Checks of the folders that Slipway writes into. */
export const diskChecks: readonly Check[] = [
  {
    name: 'work folder',
    find: ({ folder }) =>
      checkFolder(
        folder,
        'Work in a folder that this user may write to, on a disk with room; check it first: slipway doctor --folder DIR',
      ),
  },
  {
    name: 'temp folder',
    find: ({ environment }) => checkFolder(environment.tempFolder, 'Set TMPDIR to another folder.'),
  },
];

/** What was measured in a folder. */
export interface DiskFacts {
  readonly freeBytes: number;
  /** Written and synced, as every blob is. */
  readonly bytesPerSecond: number;
}

const sampleBytes = 16 * 1024 * 1024;

/** An offline bundle of a whole platform has 3 to 30 GB. */
export function judgeDisk(folder: string, facts: DiskFacts, fix: string): Finding {
  const { freeBytes, bytesPerSecond } = facts;
  const free = `${formatBytes(freeBytes)} free`;
  const text = `${folder}: ${free}, writes ${formatBytes(bytesPerSecond)}/s`;
  if (freeBytes < 1e9) return { status: 'fail', text: `${folder}: only ${free}`, fix };
  if (freeBytes < 20e9) {
    return { status: 'warn', text: `${text}; a platform's bundle may not fit`, fix };
  }
  if (bytesPerSecond < 30e6) return { status: 'warn', text: `${text}, which is slow`, fix };
  return ok(text);
}

async function checkFolder(folder: string, fix: string): Promise<Finding> {
  try {
    const bytesPerSecond = await measureWriting(folder);
    const { bavail, bsize } = await statfs(folder);
    return judgeDisk(folder, { freeBytes: bavail * bsize, bytesPerSecond }, fix);
  } catch (error) {
    return { status: 'fail', text: `${folder} cannot be written: ${describeError(error)}`, fix };
  }
}

async function measureWriting(folder: string): Promise<number> {
  const path = join(folder, `.slipway-doctor.${randomUUID()}.tmp`);
  const file = await open(path, 'wx', 0o600);
  try {
    const started = performance.now();
    await file.writeFile(Buffer.alloc(sampleBytes, 'slipway'));
    await file.sync();
    return (sampleBytes * 1000) / (performance.now() - started);
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
