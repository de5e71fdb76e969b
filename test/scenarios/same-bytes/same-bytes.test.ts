/** The same documents give the same bytes wherever, whenever and in whatever order (P9). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../support/temp-dir.ts';
import { fingerprintOf } from '../kill-and-resume/folder-facts.ts';
import { startWorld, type World, writeDocuments } from '../kill-and-resume/world.ts';

const program = new URL('../../../bin/slipway.mjs', import.meta.url).pathname;

interface Surroundings {
  readonly folder: string;
  readonly umask: string;
  readonly env: Readonly<Record<string, string>>;
  /** Transfers begin so long after each other, which changes what is written when. */
  readonly paceMs: number;
}

const surroundings: readonly Surroundings[] = [
  { folder: 'a', umask: '022', env: { TZ: 'UTC', LANG: 'C' }, paceMs: 0 },
  {
    folder: 'ü with spaces/deeper',
    umask: '077',
    env: { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
    paceMs: 7,
  },
  { folder: 'c', umask: '002', env: { TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8' }, paceMs: 1 },
];

async function run(at: Surroundings, folder: string, args: readonly string[]): Promise<void> {
  const command = `umask ${at.umask}; exec "$@"`;
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, program, ...args], {
    cwd: folder,
    env: { ...process.env, ...at.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null]; // null for a signal
  assert.equal(code, 0, (await output).join(''));
}

async function makeAll(t: TestContext, world: World, at: Surroundings) {
  const folder = join(await tempDir(t), at.folder);
  await mkdir(folder, { recursive: true });
  await writeDocuments(world, folder);
  world.throttle.forget();
  world.throttle.paceMs = at.paceMs;
  const create = ['bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml', '--own-use'];
  await run(at, folder, ['plan', 'release.yaml', 'policy.yaml']);
  const lock = await readFile(join(folder, 'sample.lock.yaml'), 'utf8');
  await run(at, folder, ['plan', 'release.yaml', 'policy.yaml', '--offline']);
  assert.equal(await readFile(join(folder, 'sample.lock.yaml'), 'utf8'), lock, 'offline');
  await run(at, folder, [...create, '-o', 'sample.bundle']);
  await run(at, folder, [...create, '-o', 'sample.tar']);
  return {
    lock,
    bundle: await fingerprintOf(join(folder, 'sample.bundle')),
    archive: await fingerprintOf(join(folder, 'sample.tar')),
  };
}

test('Lock, bundle folder and archive are the same bytes in all surroundings (P9)', async (t) => {
  const world = await startWorld(t);

  const made: Awaited<ReturnType<typeof makeAll>>[] = [];
  for (const at of surroundings) made.push(await makeAll(t, world, at));

  for (const other of made) assert.deepEqual(other, made[0]);
});
