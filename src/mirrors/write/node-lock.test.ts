import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { countedDisk } from '../../../test/support/dying-disk.ts';
import { nodeWith, mirrorsRequest as request } from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { startRun } from '../../shared/run.ts';
import { undoLastChange } from './change-node.ts';
import { whileLocked } from './node-lock.ts';
import { writeMirrors } from './write-mirrors.ts';

const state = '/var/lib/slipway/mirrors';
const lockFile = `${state}/lock`;

test('of two runs at the same moment on one node, one is told who is there, since when, and what to do', async (t) => {
  const root = await nodeWith(t, {});
  const second = { error: undefined as unknown, since: '' };
  const { disk } = countedDisk(async (_, path) => {
    // Once the lock is there, and before it is given back.
    if (second.error !== undefined || !path.endsWith('/begun-change.json')) return;
    second.since = (await stat(join(root, lockFile))).mtime.toISOString();
    second.error = await writeMirrors(request(root), startRun()).catch((error: unknown) => error);
  });

  await writeMirrors(request(root, { disk }), startRun());

  const { error } = second;
  assert.ok(error instanceof Error && 'code' in error && 'fix' in error);
  assert.equal(error.code, 'MIRROR_NODE_BUSY');
  assert.equal(
    error.message,
    `process ${process.pid} on ${hostname()} has been changing the mirror rules below ${root} since ${second.since}; nothing was changed`,
  );
  assert.match(String(error.fix), new RegExp(`^Wait until process ${process.pid} has ended`));
});

test('an undo waits for nobody either, and takes back the whole change afterwards', async (t) => {
  const root = await nodeWith(t, { '/etc/hostname': 'n\n' });
  const before = await nodeFingerprint(root, true);
  const codes = new Set<unknown>();
  const { disk } = countedDisk(async (_, path) => {
    if (!path.endsWith('-change.json')) return;
    await undoLastChange(root).catch((error: { code?: string }) => codes.add(error.code));
  });
  await writeMirrors(request(root, { disk }), startRun());

  assert.deepEqual([...codes], ['MIRROR_NODE_BUSY']);
  await undoLastChange(root);

  assert.deepEqual(await nodeFingerprint(root, true), before);
});

test('a run that was refused leaves nothing on the node, not even the folders of its lock', async (t) => {
  const root = await nodeWith(t, { '/etc/hostname': 'n\n' });
  const before = await nodeFingerprint(root, true);

  await assert.rejects(undoLastChange(root), { code: 'MIRROR_NOTHING_TO_UNDO' });

  assert.deepEqual(await nodeFingerprint(root, true), before);
});

test('the lock of a dead process, and of a take-over that died too, is taken over', async (t) => {
  const root = await nodeWith(t, {});
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  let held = '';
  await whileLocked(root, async () => {
    held = await readFile(join(root, lockFile), 'utf8');
  });
  const dead = held.replace(/"id":"[^"]+"/, '"id":"dead"').replace(/"pid":\d+/, `"pid":${pid}`);
  await mkdir(join(root, state), { recursive: true });
  await writeFile(join(root, lockFile), dead);
  await writeFile(join(root, `${lockFile}.dead`), dead);

  await writeMirrors(request(root), startRun());

  const left = await readdir(join(root, state));
  assert.ok(!left.some((name) => name.startsWith('lock')), left.join());
});

test('a dry run takes no lock: it goes through while another run holds it', async (t) => {
  const root = await nodeWith(t, {});
  await whileLocked(root, async () => {
    const { actions } = await writeMirrors(request(root, { dryRun: true }), startRun());
    assert.ok(actions.length > 0);
  });
});

test('a state folder in which no lock can be put is named before anything is changed', async (t) => {
  const root = await nodeWith(t, { '/var/lib/slipway': 'a file\n' });
  const before = await nodeFingerprint(root, true);

  await assert.rejects(writeMirrors(request(root), startRun()), {
    code: 'MIRROR_PATH_UNUSABLE',
    message: /\/var\/lib\/slipway\/mirrors.*nothing was changed/,
  });

  assert.deepEqual(await nodeFingerprint(root, true), before);
});
