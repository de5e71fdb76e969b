import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
import { readInputFile } from './input-file.ts';

test('a regular file is read whole, also through a link', async (t) => {
  const folder = await tempDir(t);
  const content = Buffer.alloc(700_000, 'text');
  await writeFile(join(folder, 'file'), content);
  await symlink('file', join(folder, 'link'));

  assert.deepEqual(await readInputFile(join(folder, 'file'), 700_000), content);
  assert.deepEqual(await readInputFile(join(folder, 'link'), 700_000), content);
});

test('a file that says it is empty and is not is read, and bounded', async () => {
  const status = await readInputFile('/proc/self/status', 64 * 1024);

  assert.match(status.toString(), /^Name:/);
  await assert.rejects(readInputFile('/proc/self/status', 10), { code: 'INPUT_FILE_UNUSABLE' });
});

test('a file above the limit is refused before it is read', async (t) => {
  const path = join(await tempDir(t), 'large');
  await writeFile(path, Buffer.alloc(2 * 1024 * 1024 + 1));

  await assert.rejects(readInputFile(path, 2 * 1024 * 1024), {
    code: 'INPUT_FILE_UNUSABLE',
    message: `${path} has 2.1 MiB; at most 2 MiB are read`,
  });
});

const strange: ReadonlyArray<
  readonly [because: string, make: (t: TestContext, folder: string) => Promise<string>]
> = [
  ['a folder', async (_, folder) => folder],
  ['a pipe', async (_, folder) => fifo(join(folder, 'pipe'))],
  ['a device', async () => '/dev/zero'],
  ['a device', async () => '/dev/null'],
  ['a socket', (t, folder) => listenOn(t, join(folder, 'socket'))],
  ['a folder', async (_, folder) => linkTo(join(folder, 'below'), folder)],
];

for (const [because, make] of strange) {
  test(`${because} is refused at once, whoever waits at its other end`, async (t) => {
    const path = await make(t, await tempDir(t));

    await assert.rejects(readInputFile(path, 1024), {
      code: 'INPUT_FILE_UNUSABLE',
      message: new RegExp(`^${path} is ${because}`),
    });
  });
}

test('a file that is missing, or that leads in a circle, keeps the error of the system', async (t) => {
  const folder = await tempDir(t);
  await symlink('circle', join(folder, 'circle'));

  await assert.rejects(readInputFile(join(folder, 'gone'), 1), { code: 'ENOENT' });
  await assert.rejects(readInputFile(join(folder, 'circle'), 1), { code: 'ELOOP' });
});

async function fifo(path: string): Promise<string> {
  execFileSync('mkfifo', [path]);
  return path;
}

async function linkTo(target: string, folder: string): Promise<string> {
  await mkdir(target);
  await symlink(target, join(folder, 'link'));
  return join(folder, 'link');
}

async function listenOn(t: TestContext, path: string): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return path;
}
