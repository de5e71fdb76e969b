/** Mirror rules on a real disk that is too small, at every size up to one that fits, or read-only (root on Linux). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { MirrorPathUnusable } from '../../../src/mirrors/errors.ts';
import { undoLastChange } from '../../../src/mirrors/write/change-node.ts';
import { writeMirrors } from '../../../src/mirrors/write/write-mirrors.ts';
import { startRun } from '../../../src/shared/run.ts';
import { mirrorsRequest } from '../../support/mirror-node.ts';
import { nodeFingerprint } from '../../support/node-fingerprint.ts';
import { tempDir } from '../../support/temp-dir.ts';

const page = 4;
/** Two files of others, one of three pages, so that each needs room for its copies. */
const foreign = {
  '/etc/containerd/certs.d/docker.io/hosts.toml': 'server = "https://docker.io"\n',
  '/etc/containerd/config.toml': `version = 3\n# ${'mine '.repeat(1800)}\n`,
};
const foreignKib = 16;

async function onDisk<T>(
  t: TestContext,
  kib: number,
  use: (root: string) => Promise<T>,
): Promise<T> {
  const root = await tempDir(t);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'slipway-test', root]);
  try {
    for (const [path, text] of Object.entries(foreign)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return await use(root);
  } finally {
    execFileSync('umount', ['-l', root]);
  }
}

const apply = (root: string) =>
  writeMirrors(mirrorsRequest(root, { replaceForeign: true }), startRun()).then(
    () => undefined,
    (error: unknown) => error,
  );

function assertRefused(failure: unknown, reason: RegExp, fix: RegExp): void {
  assert.ok(failure instanceof MirrorPathUnusable, String(failure));
  assert.match(failure.message, reason);
  assert.match(failure.message, /nothing was changed|was taken back$/);
  assert.match(failure.fix, fix);
}

test('rules that a disk has no room for leave the node as it was, at every size up to one that fits', async (t) => {
  let tooSmall = 0;
  for (let kib = foreignKib; ; kib += page) {
    const fits = await onDisk(t, kib, async (root) => {
      const before = await nodeFingerprint(root);
      const failure = await apply(root);
      if (failure === undefined) await undoLastChange(root);
      else assertRefused(failure, /no room left on its file system/, /^Free some space.*df -h/);
      assert.deepEqual(await nodeFingerprint(root), before, `${kib} KiB`);
      return failure === undefined;
    });
    if (fits) break;
    tooSmall += 1;
  }

  assert.ok(tooSmall > 8, `${tooSmall} sizes were too small`);
});

test('rules on a read-only disk are refused in words, and so is an undo', async (t) => {
  await onDisk(t, 256, async (root) => {
    const remount = (mode: 'ro' | 'rw') =>
      execFileSync('mount', ['-o', `remount,${mode}`, 'slipway-test', root]);
    remount('ro');
    assertRefused(await apply(root), /its file system is read-only/, /./);
    remount('rw');
    assert.equal(await apply(root), undefined);
    const applied = await nodeFingerprint(root);
    remount('ro');

    await assert.rejects(undoLastChange(root), { code: 'MIRROR_PATH_UNUSABLE' });

    assert.deepEqual(await nodeFingerprint(root), applied);
  });
});
