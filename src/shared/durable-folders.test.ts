import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { RecordedFiles } from '../../test/support/recorded-files.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { DurableFolders } from './durable-folders.ts';

test('callers who come while a folder is synced share the next sync, not the one under way', async (t) => {
  const folder = await tempDir(t);
  const files = new RecordedFiles();
  const folders = new DurableFolders(files);
  const done: string[] = [];

  const first = folders.sync(folder).then(() => done.push(`first ${files.events.length}`));
  await Promise.resolve();
  const others = [1, 2, 3].map(() =>
    folders.sync(folder).then(() => done.push(`other ${files.events.length}`)),
  );
  await Promise.all([first, ...others]);

  assert.deepEqual(done, ['first 1', 'other 2', 'other 2', 'other 2']);
  await folders.sync(folder);
  assert.equal(files.events.length, 3);
});

test('every folder that had to be made is kept by the one above it', async (t) => {
  const root = await tempDir(t);
  const files = new RecordedFiles();
  const folders = new DurableFolders(files);

  await Promise.all([folders.make(join(root, 'a/b/c')), folders.make(join(root, 'a/b/d'))]);

  const synced = files.events.map(({ path }) => path);
  for (const folder of ['', 'a', 'a/b']) assert.ok(synced.includes(join(root, folder)), folder);
  await folders.make(join(root, 'a/b/c'));
  assert.equal(files.events.length, synced.length);
});

test('a sync that fails is told to its callers, and the next one begins anew', async (t) => {
  const folder = join(await tempDir(t), 'gone');
  const folders = new DurableFolders();

  const outcomes = await Promise.allSettled([folders.sync(folder), folders.sync(folder)]);
  await folders.make(folder);
  await writeFile(join(folder, 'x'), '');

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await folders.sync(folder);
});
