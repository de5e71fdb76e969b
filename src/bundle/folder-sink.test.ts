import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { writeSampleBundle } from '../../test/support/memory-archive.ts';
import { RecordedFiles } from '../../test/support/recorded-files.ts';
import { sampleContents, sampleLock } from '../../test/support/sample-lock.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import { openFolderSink } from './folder-sink.ts';
import { sinkContract } from './sink.contract.ts';

sinkContract('folder', openFolderSink, async (path) => {
  const hash = createHash('sha256');
  for (const name of (await readdir(path, { recursive: true })).sort()) {
    const { mode } = await stat(join(path, name));
    const content = (mode & 0o170000) === 0o100000 ? await readFile(join(path, name)) : '';
    hash.update(`${name} ${mode}\n`).update(content);
  }
  return hash.digest('hex');
});

test('a partial folder that is a link is refused: its target is somebody else’s (adversary)', async (t) => {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'precious'));
  await writeFile(join(folder, 'precious/keep'), 'me');
  await symlink(join(folder, 'precious'), join(folder, 'x.bundle.partial'));

  await assert.rejects(openFolderSink(join(folder, 'x.bundle'), [], testRun(t)), {
    code: 'BUNDLE_PARTIAL_FOREIGN',
  });

  assert.equal(await readFile(join(folder, 'precious/keep'), 'utf8'), 'me');
});

test('of a folder with our mark everything that is not wanted goes, links too', async (t) => {
  const folder = await tempDir(t);
  const { entries } = sampleContents(sampleLock());
  const partial = join(folder, 'x.bundle.partial');
  await mkdir(join(partial, 'blobs/sha256/old'), { recursive: true });
  await writeFile(join(partial, '.slipway-partial'), '');
  await writeFile(join(partial, 'blobs/sha256/old/blob'), 'old');
  await writeFile(join(folder, 'keep'), '{"imageLayoutVersion":"1.0.0"}\n');
  await symlink(join(folder, 'keep'), join(partial, 'oci-layout'));

  await using sink = await openFolderSink(join(folder, 'x.bundle'), entries, testRun(t));

  assert.deepEqual(
    entries.filter((entry) => sink.has(entry)),
    [],
  );
  assert.deepEqual((await readdir(partial, { recursive: true })).sort(), [
    '.slipway-partial',
    'blobs',
    'blobs/sha256',
  ]);
  assert.equal(await readFile(join(folder, 'keep'), 'utf8'), '{"imageLayoutVersion":"1.0.0"}\n');
});

test('a run that was killed between taking its mark away and the final name goes on (P4)', async (t) => {
  const path = join(await tempDir(t), 'sample');
  await writeSampleBundle(t, openFolderSink, path);
  await rename(path, `${path}.partial`);

  const { entries } = sampleContents(sampleLock());
  await using sink = await openFolderSink(path, entries, testRun(t));

  assert.ok(entries.every((entry) => sink.has(entry)));
  await sink.publish(testRun(t));
  assert.ok(!(await readdir(path)).includes('.slipway-partial'));
});

test('every folder of a bundle is synced before the bundle gets its name (P5)', async (t) => {
  const path = join(await tempDir(t), 'sample');
  const disk = new RecordedFiles();
  await writeSampleBundle(t, (name, files, run) => openFolderSink(name, files, run, disk), path);

  const named = disk.events.findIndex((event) => event.to === path);
  const synced = new Set(
    disk.events.slice(0, named).flatMap(({ did, path: of }) => (did === 'sync' ? [of] : [])),
  );
  const folders = (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).replace(path, `${path}.partial`));
  assert.deepEqual(
    [`${path}.partial`, ...folders].filter((folder) => !synced.has(folder)),
    [],
  );
});
