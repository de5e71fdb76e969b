import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { nodeUnit } from '../units/node-unit.ts';
import type { FileEdit, Rename } from './mend-files.ts';
import { writeFix } from './write-fix.ts';

const folder = '/etc/containerd/certs.d/docker.io';
const path = `${folder}/hosts.toml`;

/** A node with one file, and the unit that is linted of it. */
async function node(t: TestContext, text = 'old\n') {
  const root = await tempDir(t);
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, path), text);
  const unit = nodeUnit({ runtime: 'containerd', root, shownRoot: 'node' });
  return { root, unit, at: (name: string) => join(root, folder, name) };
}

function plan(edits: readonly FileEdit[], renames: readonly Rename[] = []) {
  return { edits, renames, found: [], mended: [], left: [] };
}

const edit: FileEdit = { path, before: 'old\n', after: 'new\n' };

test('a file is replaced whole, keeps its mode, and the old one stays beside it', async (t) => {
  const { unit, at } = await node(t);
  await chmod(at('hosts.toml'), 0o600);

  const done = await writeFix(unit, plan([edit]));

  assert.deepEqual(done, [
    {
      do: 'change',
      file: `node${path}`,
      backup: `node${path}.before-slipway`,
    },
  ]);
  assert.equal(await readFile(at('hosts.toml'), 'utf8'), 'new\n');
  assert.equal(await readFile(at('hosts.toml.before-slipway'), 'utf8'), 'old\n');
  assert.equal((await stat(at('hosts.toml'))).mode & 0o777, 0o600);
});

test('a copy that is there already is not overwritten', async (t) => {
  const { unit, at } = await node(t);
  await writeFile(at('hosts.toml.before-slipway'), 'first\n');

  await writeFix(unit, plan([edit]));

  assert.equal(await readFile(at('hosts.toml.before-slipway'), 'utf8'), 'first\n');
  assert.equal(await readFile(at('hosts.toml.before-slipway.2'), 'utf8'), 'old\n');
});

test('edits come before the new name, so that the right name appears with the right text', async (t) => {
  const { unit, at } = await node(t);
  await writeFile(at('host.toml'), 'old\n');
  const wrong = { ...edit, path: `${folder}/host.toml` };
  const renames = [{ from: `${folder}/host.toml`, to: `${folder}/right.toml` }];

  const done = await writeFix(unit, plan([wrong], renames));

  assert.deepEqual(done.at(-1), {
    do: 'rename',
    file: `node${folder}/host.toml`,
    to: `node${folder}/right.toml`,
  });
  assert.equal(await readFile(at('right.toml'), 'utf8'), 'new\n');
});

test('a file that changed meanwhile is left alone, and so are all others', async (t) => {
  const { unit, at } = await node(t, 'somebody was here\n');
  await writeFile(at('other.toml'), 'old\n');

  const writing = writeFix(unit, plan([{ ...edit, path: `${folder}/other.toml` }, edit]));

  await assert.rejects(writing, {
    code: 'MIRROR_FILE_CHANGED',
    message: /node\/etc\/.*hosts\.toml/,
  });
  assert.deepEqual(await readdir(at('.')), ['hosts.toml', 'other.toml']);
  assert.equal(await readFile(at('other.toml'), 'utf8'), 'old\n');
});

test('a file that is gone has changed too', async (t) => {
  const { unit } = await node(t);

  const writing = writeFix(unit, plan([{ ...edit, path: `${folder}/gone.toml` }]));

  await assert.rejects(writing, { code: 'MIRROR_FILE_CHANGED' });
});

test('nothing is renamed onto a file that came meanwhile', async (t) => {
  const { unit, at } = await node(t);
  await writeFile(at('host.toml'), 'a');
  const renames = [{ from: `${folder}/host.toml`, to: path }];

  await assert.rejects(writeFix(unit, plan([], renames)), { code: 'MIRROR_FILE_CHANGED' });
  assert.equal(await readFile(at('hosts.toml'), 'utf8'), 'old\n');
});

test('a link in place of a file is not written through', async (t) => {
  const { unit, at } = await node(t);
  await symlink('hosts.toml', at('linked.toml'));

  const writing = writeFix(unit, plan([{ ...edit, path: `${folder}/linked.toml` }]));

  await assert.rejects(writing, {
    code: 'MIRROR_PATH_UNUSABLE',
    message: /node\/etc\/.*linked\.toml \(is a symbolic link to hosts\.toml\); nothing was changed/,
  });
  assert.equal(await readFile(at('hosts.toml'), 'utf8'), 'old\n');
});

test('a folder that takes no files is named with the reason', async (t) => {
  const { unit, at } = await node(t);
  // A folder in place of a copy stops root too, whom permissions do not.
  await mkdir(at('hosts.toml.before-slipway'));

  await assert.rejects(writeFix(unit, plan([edit])), {
    code: 'MIRROR_PATH_UNUSABLE',
    message: /hosts\.toml\.before-slipway \(is a folder\)/,
  });
  assert.equal(await readFile(at('hosts.toml'), 'utf8'), 'old\n');
});
