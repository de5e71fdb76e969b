import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
import { systemFiles } from '../shared/durable-files.ts';
import { type ProcessIdentity, thisProcess } from './internal/process-identity.ts';
import { takeLock } from './lock-file.ts';

test('a lock that is held is refused with the holder and the way out', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  await takeLock(folder, lockFile);

  const second = takeLock(folder, lockFile);

  await assert.rejects(second, (error: Error & { code: string; fix: string }) => {
    assert.equal(error.code, 'STORE_LOCKED');
    assert.match(error.message, new RegExp(`process ${process.pid} .* writing into ${folder}`));
    assert.match(error.fix, /Wait until process/);
    return true;
  });
});

test('a lock that was given back is free, and nothing is left of it', async (t) => {
  const { folder, lockFile } = await lockIn(t);

  const release = await takeLock(folder, lockFile);
  await release();
  await release();

  assert.deepEqual(await readdir(folder), []);
  await takeLock(folder, lockFile);
});

test('what a process left that was killed while it took the lock goes with the next one', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  await writeFile(`${lockFile}.3ef0eba7-d7a3-4d23-8084-fcc5b17c48df.tmp`, '{"id"');
  await writeFile(`${lockFile}.notes.tmp`, 'of somebody else');

  const release = await takeLock(folder, lockFile);
  await release();

  assert.deepEqual(await readdir(folder), [`${lockFile.slice(folder.length + 1)}.notes.tmp`]);
});

test('the lock of a killed process is taken over', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  const script = `
    import { takeLock } from ${JSON.stringify(new URL('lock-file.ts', import.meta.url).href)};
    await takeLock(${JSON.stringify(folder)}, ${JSON.stringify(lockFile)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script]);
  t.after(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  await assert.rejects(takeLock(folder, lockFile), { code: 'STORE_LOCKED' });

  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await takeLock(folder, lockFile);

  assert.match(await readFile(lockFile, 'utf8'), new RegExp(`"pid":${process.pid}\\b`));
  assert.deepEqual(await readdir(folder), ['lock']);
});

const endedPid = spawnSync(process.execPath, ['-e', '']).pid;

for (const [what, change] of [
  ['an ended process', { pid: endedPid }],
  ['a process number that was used again', { start: '1' }],
  ['an earlier boot', { boot: 'another' }],
] as const) {
  test(`the lock of ${what} is taken over`, async (t) => {
    const { folder, lockFile } = await lockIn(t);
    await writeHolder(lockFile, change);

    await takeLock(folder, lockFile);

    await assert.rejects(takeLock(folder, lockFile), { code: 'STORE_LOCKED' });
  });
}

test('the lock of another machine is respected and says how to remove it', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  await writeHolder(lockFile, { host: 'elsewhere', boot: 'another', pid: 77 });

  await assert.rejects(takeLock(folder, lockFile), {
    code: 'STORE_LOCKED',
    fix: `Look on elsewhere whether process 77 still runs. If it does not: rm ${lockFile}`,
  });
});

test('a lock file that a power cut emptied is taken over', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  await writeFile(lockFile, '');

  await takeLock(folder, lockFile);

  await assert.rejects(takeLock(folder, lockFile), { code: 'STORE_LOCKED' });
});

test('of many that find a dead lock at the same time, exactly one gets it', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  await writeHolder(lockFile, { pid: endedPid });

  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, () => takeLock(folder, lockFile)),
  );

  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
  assert.deepEqual(await readdir(folder), ['lock']);
});

test('a process that counts its numbers elsewhere is not taken for dead', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  await writeHolder(lockFile, { pid: endedPid, namespace: 'pid:[1]' });

  await assert.rejects(takeLock(folder, lockFile), { code: 'STORE_LOCKED' });
});

test('a take-over that was itself killed half-way is taken over', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  await writeHolder(lockFile, { pid: endedPid });
  await writeHolder(`${lockFile}.dead-lock`, { pid: endedPid });

  await takeLock(folder, lockFile);

  assert.match(await readFile(lockFile, 'utf8'), new RegExp(`"pid":${process.pid}\\b`));
});

async function lockIn(t: TestContext) {
  const folder = await tempDir(t);
  return { folder, lockFile: join(folder, 'lock') };
}

async function writeHolder(path: string, change: Partial<ProcessIdentity>): Promise<void> {
  const identity = { ...(await thisProcess()), ...change };
  await writeFile(path, JSON.stringify({ id: 'dead-lock', process: identity }));
}

test('a pipe, a link or a folder in the place of the lock is named, and nobody waits for it', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  const ways: readonly (() => unknown)[] = [
    () => spawnSync('mkfifo', [lockFile]),
    () => symlink(join(folder, 'elsewhere'), lockFile),
    () => mkdir(lockFile),
  ];
  for (const make of ways) {
    await make();

    await assert.rejects(takeLock(folder, lockFile), { code: 'LOCK_FILE_FOREIGN' });

    await rm(lockFile, { recursive: true });
  }
});

test('giving a lock back leaves the lock of whoever has taken it over meanwhile', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  const release = await takeLock(folder, lockFile);
  await rm(lockFile);
  await takeLock(folder, lockFile);
  const held = await readFile(lockFile, 'utf8');

  await release();

  assert.equal(await readFile(lockFile, 'utf8'), held);
});

test('a disk that is full before anything began is told with its path', async (t) => {
  const { folder, lockFile } = await lockIn(t);
  const full = { ...systemFiles, open: () => open('/dev/full', 'w') };

  await assert.rejects(takeLock(folder, lockFile, full), (error: Error & { code: string }) => {
    assert.equal(error.code, 'DISK_FULL');
    assert.ok(error.message.includes(lockFile));
    return true;
  });

  assert.deepEqual(await readdir(folder), []);
});
