import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { digestOf } from '../../oci/digest.ts';
import { PlanFolder } from './plan-folder.ts';

const manifest = Buffer.from('{}');
const digest = digestOf(manifest);

test('the Lock is there before what was read goes, and then the folder is gone', async (t) => {
  const folder = await tempDir(t);
  const lock = join(folder, 'a.lock.yaml');
  await using plan = await PlanFolder.open(lock, folder);
  await plan.cache.keep(digest, manifest);

  await plan.publish('the Lock\n');

  assert.equal(await readFile(lock, 'utf8'), 'the Lock\n');
  assert.deepEqual(await plan.cache.find(digest), manifest);
  await plan.remove();
  assert.deepEqual(await readdir(folder), ['a.lock.yaml']);
});

test('a plan that was killed leaves what it read to the next one, and nothing else', async (t) => {
  const folder = await tempDir(t);
  const lock = join(folder, 'a.lock.yaml');
  {
    await using killed = await PlanFolder.open(lock, folder);
    await killed.cache.keep(digest, manifest);
  }
  await writeFile(join(`${lock}.partial`, '.a.lock.yaml.1.tmp'), 'half a Lo');
  await writeFile(join(`${lock}.partial`, '.slipway-lock.1.tmp'), '{');

  await using next = await PlanFolder.open(lock, folder);

  assert.equal(next.cache.isNew, false);
  assert.deepEqual(await next.cache.find(digest), manifest);
  await next.remove();
  assert.deepEqual(await readdir(folder), []);
});

test('a plan that read nothing leaves nothing', async (t) => {
  const folder = await tempDir(t);
  {
    await using _failed = await PlanFolder.open(join(folder, 'a.lock.yaml'), folder);
  }

  assert.deepEqual(await readdir(folder), []);
});

test('two plans for one Lock do not run side by side, and a file of somebody else stays', async (t) => {
  const folder = await tempDir(t);
  const lock = join(folder, 'a.lock.yaml');
  await using first = await PlanFolder.open(lock, folder);
  await writeFile(join(`${lock}.partial`, 'notes.txt'), 'mine');

  await assert.rejects(PlanFolder.open(lock, folder), { code: 'STORE_LOCKED' });

  await first.remove();
  assert.deepEqual(await readdir(`${lock}.partial`), ['notes.txt']);
});

test('a Lock for a device goes through it, and nothing is made beside it', async (t) => {
  const [folder, tempFolder] = [await tempDir(t), await tempDir(t)];
  const lock = join(folder, 'a.lock.yaml');
  await symlink('/dev/null', lock);
  {
    await using plan = await PlanFolder.open(lock, tempFolder);
    await plan.cache.keep(digest, manifest);

    await plan.publish('the Lock\n');
    assert.equal((await readdir(tempFolder)).length, 1);
  }

  assert.ok((await stat('/dev/null')).isCharacterDevice());
  assert.deepEqual(await readdir(tempFolder), []);
  assert.deepEqual(await readdir(folder), ['a.lock.yaml']);
});

test('a folder, or a link to one, that is somebody else’s is named and stays as it is', async (t) => {
  const folder = await tempDir(t);
  const lock = join(folder, 'a.lock.yaml');
  const theirs = join(folder, 'theirs');
  await mkdir(theirs);
  await writeFile(join(theirs, '.draft.tmp'), 'mine');
  await writeFile(join(theirs, 'read.journal'), 'mine too');
  await symlink(theirs, `${lock}.partial`);

  await assert.rejects(PlanFolder.open(lock, folder), { code: 'PLAN_PARTIAL_FOREIGN' });
  await rm(`${lock}.partial`);
  await rename(theirs, `${lock}.partial`);
  await assert.rejects(PlanFolder.open(lock, folder), { code: 'PLAN_PARTIAL_FOREIGN' });

  assert.deepEqual(await readdir(`${lock}.partial`), ['.draft.tmp', 'read.journal']);
  assert.equal(await readFile(join(`${lock}.partial`, 'read.journal'), 'utf8'), 'mine too');
});
