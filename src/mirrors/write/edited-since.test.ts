import assert from 'node:assert/strict';
import { appendFile, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  atEveryCall,
  killedAt,
  letGoOfLock,
  unsyncedDisk,
} from '../../../test/support/dying-disk.ts';
import { filesIn, nodeWith, mirrorsRequest as request } from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { startRun } from '../../shared/run.ts';
import { isInterrupted, undoLastChange } from './change-node.ts';
import { whileLocked } from './node-lock.ts';
import { writeMirrors } from './write-mirrors.ts';

const hosts = '/etc/containerd/certs.d/docker.io/hosts.toml';
const config = '/etc/containerd/config.toml';
const files = { [config]: 'version = 3\n# theirs\n' };
const order = { disk: unsyncedDisk, replaceForeign: true };

test('an undo that may replace puts edited files back and keeps what the person had, whole and for root only', async (t) => {
  const root = await nodeWith(t, files);
  const before = await nodeFingerprint(root);
  await writeMirrors(request(root, order), startRun());
  await appendFile(join(root, hosts), '# token = "precious"\n');
  const edited = await readFile(join(root, hosts), 'utf8');

  const undone = await undoLastChange(root, unsyncedDisk, 'replace edited');

  assert.deepEqual(await nodeFingerprint(root), before, 'no folder of docker.io stays either');
  const copy = undone.find(({ path }) => path === hosts)?.copy ?? '';
  assert.match(copy, /^\/var\/lib\/slipway\/mirrors\/edited-[0-9a-f]{12}-docker\.io-hosts\.toml$/);
  assert.equal(await readFile(join(root, copy), 'utf8'), edited);
  assert.equal((await stat(join(root, copy))).mode & 0o777, 0o600);
  assert.equal(undone.filter((one) => one.copy !== undefined).length, 1);
});

test('a file that somebody removed comes back, and there is nothing to keep of it', async (t) => {
  const root = await nodeWith(t, files);
  const before = await nodeFingerprint(root, true);
  await writeMirrors(request(root, order), startRun());
  await rm(join(root, config));

  await assert.rejects(undoLastChange(root), { code: 'MIRROR_EDITED_SINCE' });
  const undone = await undoLastChange(root, unsyncedDisk, 'replace edited');

  assert.ok(undone.every(({ copy }) => copy === undefined));
  const left = (await nodeFingerprint(root, true)).filter((line) => !/^var(?:\/lib)? /.test(line));
  assert.deepEqual(left, before);
});

test('an edit amid a change that was cut off blocks later runs until an undo that may replace', async (t) => {
  const root = await nodeWith(t, files);
  await killedAt(30, (disk) => writeMirrors(request(root, { ...order, disk }), startRun()));
  await letGoOfLock(root);
  assert.ok(await isInterrupted(root));
  const made = Object.keys(await filesIn(root)).find((path) => path.endsWith('/hosts.toml'));
  assert.ok(made !== undefined);
  await appendFile(join(root, made), '# mine\n');

  await assert.rejects(writeMirrors(request(root, order), startRun()), {
    code: 'MIRROR_EDITED_SINCE',
    fix: new RegExp(`slipway mirrors apply --undo --replace --root ${root}(?:$|\\s)`),
  });
  await undoLastChange(root, unsyncedDisk, 'replace edited');

  assert.deepEqual(await filesIn(root), files);
  await writeMirrors(request(root, order), startRun());
});

test('an undo that may replace, killed before any call, loses no edit and ends in the next one', async (t) => {
  await atEveryCall(async (at) => {
    const root = await nodeWith(t, files);
    await writeMirrors(request(root, order), startRun());
    await appendFile(join(root, hosts), '# mine\n');
    const edited = await readFile(join(root, hosts), 'utf8');

    const wasKilled = await killedAt(at, (disk) => undoLastChange(root, disk, 'replace edited'));
    await letGoOfLock(root);
    await undoLastChange(root, unsyncedDisk, 'replace edited').catch((error: { code?: string }) =>
      assert.equal(error.code, 'MIRROR_NOTHING_TO_UNDO'),
    );

    assert.deepEqual(await filesIn(root), files);
    const lines = await nodeFingerprint(root, true);
    const kept = lines.filter((line) => line.endsWith(Buffer.from(edited).toString('base64')));
    assert.equal(kept.length, 1, `call ${at}`);
    // Only so is the next run one of a process that ended.
    await whileLocked(root, async () => {}, unsyncedDisk);
    return wasKilled;
  });
});
