import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Lock } from '../../../src/release/lock.ts';
import { startUpstreams } from '../tools/upstreams.ts';
import { writeReleaseFiles } from './documents.ts';
import { slipway } from './slipway.ts';

/** What a release builder hands over; the upstreams are gone by then. */
export interface HandedOver {
  readonly lockFile: string;
  readonly lock: Lock;
  /** A folder or a `.tar`. */
  readonly bundle: string;
}

/**
 * The release builder's half of the chain, with the real commands: fills and starts four upstreams,
 * plans, makes the bundle, verifies it, stops the upstreams. Takes about half a minute.
 */
export async function bundleRelease(
  folder: string,
  form: 'folder' | 'tar' = 'folder',
): Promise<HandedOver> {
  await using upstreams = await startUpstreams(join(folder, 'upstreams'));
  const { release, policy } = await writeReleaseFiles(join(folder, 'documents'), upstreams);
  const lockFile = join(folder, 'openfuyao.lock.yaml');
  const bundle = join(folder, form === 'tar' ? 'openfuyao.tar' : 'openfuyao.bundle');
  await slipway(['plan', release, policy, '--output', lockFile]);
  await slipway([
    'bundle',
    'create',
    lockFile,
    '--policy',
    policy,
    '--own-use',
    '--output',
    bundle,
  ]);
  await slipway(['bundle', 'verify', bundle]);
  const lock = Lock.parse(parse(await readFile(lockFile, 'utf8')));
  return { lockFile, lock, bundle };
}
