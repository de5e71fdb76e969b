import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
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

  await assert.rejects(openFolderSink(join(folder, 'x.bundle'), []), { code: 'BUNDLE_EXISTS' });

  assert.equal(await readFile(join(folder, 'precious/keep'), 'utf8'), 'me');
});
