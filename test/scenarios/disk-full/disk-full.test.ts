/** A real file system that is full: a tmpfs of a few MB (root on Linux). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { runCli } from '../../support/run-cli.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { digestsIn, finishedPaths } from '../kill-and-resume/folder-facts.ts';
import { lockedWorld } from '../kill-and-resume/world.ts';

/** The release of the kill scenarios has about 20 MB. */
const smallMib = 12;

/** Calls `use` with a small file system, and takes it away before the folder is removed. */
async function onSmallDisk(
  t: TestContext,
  mib: number,
  use: (disk: string) => Promise<void>,
): Promise<void> {
  const disk = await tempDir(t);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'slipway-test', disk]);
  try {
    await use(disk);
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
}

test('a disk that is too small is told before a byte is fetched', async (t) => {
  const { throttle, lock, policy } = await lockedWorld(t);
  await onSmallDisk(t, smallMib, async (disk) => {
    await writeFile(join(disk, 'sample.lock.yaml'), lock);
    await writeFile(join(disk, 'policy.yaml'), policy);
    throttle.forget();

    const create = ['bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml', '--own-use'];
    const { exitCode, stderr } = await runCli(disk, ...create);

    assert.equal(exitCode, 74);
    assert.match(
      stderr,
      /needs \d+ MB more, and the disk of \S+ has \d+ MB free {2}DISK_TOO_SMALL/,
    );
    assert.deepEqual(throttle.asked, []);
    assert.deepEqual((await readdir(disk)).sort(), ['policy.yaml', 'sample.lock.yaml']);
  });
});

for (const bundle of ['sample.bundle', 'sample.tar']) {
  test(`${bundle}: a disk that fills up is DISK_FULL; with room again the rest is fetched`, async (t) => {
    const { throttle, lock, policy } = await lockedWorld(t);
    await onSmallDisk(t, 32, async (disk) => {
      await writeFile(join(disk, 'sample.lock.yaml'), lock);
      await writeFile(join(disk, 'policy.yaml'), policy);
      throttle.forget();
      throttle.paceMs = 20;
      const create = [
        'bundle',
        'create',
        'sample.lock.yaml',
        '--policy',
        'policy.yaml',
        '--own-use',
        '-o',
        bundle,
      ];

      const creating = runCli(disk, ...create);
      while (throttle.asked.length === 0) await wait(1);
      // Somebody else takes the room that was there when it began.
      await writeFile(join(disk, 'ballast'), Buffer.alloc(24 * 1024 * 1024));
      const failed = await creating;
      const names = await readdir(disk);
      await rm(join(disk, 'ballast'));
      throttle.paceMs = 0;
      const done = new Set(digestsIn(await finishedPaths(join(disk, bundle))));
      throttle.forget();
      const again = await runCli(disk, ...create);

      assert.equal(failed.exitCode, 74, failed.stderr);
      assert.match(failed.stderr, /DISK_FULL/);
      assert.ok(!names.includes(bundle));
      assert.equal(again.exitCode, 0, again.stderr);
      assert.ok(done.size > 0);
      assert.deepEqual(
        throttle.asked.filter(({ what }) => done.has(what)),
        [],
      );
      const verify = await runCli(disk, 'bundle', 'verify', bundle);
      assert.equal(verify.exitCode, 0, verify.stdout);
    });
  });
}
