import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';
import { PlanFolder } from './plan-folder.ts';

const manifest = Buffer.from('{}');
const ref = { digest: digestOf(manifest), size: manifest.length };

test('the Lock is there before what was read goes, and then the folder is gone', async (t) => {
  const folder = await tempDir(t);
  const lock = join(folder, 'a.lock.yaml');
  await using plan = await PlanFolder.open(lock);
  await plan.cache.put(ref, bytesOf(manifest), testRun(t));

  await plan.publish('the Lock\n');

  assert.equal(await readFile(lock, 'utf8'), 'the Lock\n');
  assert.equal(await plan.cache.find(ref.digest, testRun(t)), manifest.length);
  await plan.remove();
  assert.deepEqual(await readdir(folder), ['a.lock.yaml']);
});

test('a plan that was killed while its folder was removed can be planned again', async (t) => {
  const folder = await tempDir(t);
  const lock = join(folder, 'a.lock.yaml');
  {
    await using killed = await PlanFolder.open(lock);
    await killed.publish('the Lock\n');
  }
  await rm(join(`${lock}.partial`, 'blobs'), { recursive: true, force: true });

  await using next = await PlanFolder.open(lock);

  await next.remove();
  assert.deepEqual(await readdir(folder), ['a.lock.yaml']);
});

test('a Lock for a device goes through it, and nothing is made beside it', async (t) => {
  const folder = await tempDir(t);
  const lock = join(folder, 'a.lock.yaml');
  await symlink('/dev/null', lock);
  {
    await using plan = await PlanFolder.open(lock);
    await plan.cache.put(ref, bytesOf(manifest), testRun(t));

    await plan.publish('the Lock\n');
  }

  assert.ok((await stat('/dev/null')).isCharacterDevice());
  assert.deepEqual(await readdir(folder), ['a.lock.yaml']);
});
