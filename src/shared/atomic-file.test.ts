import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { assertSurvivesPowerCut, RecordedFiles } from '../../test/support/recorded-files.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { writeFileAtomic, writeOutput } from './atomic-file.ts';

test('a power cut leaves the old file or the new one, never a part (P5)', async (t) => {
  const path = join(await tempDir(t), 'report.json');
  await writeFile(path, 'old');
  const files = new RecordedFiles();

  await writeOutput({ path, content: 'new' }, files);

  assert.equal(await readFile(path, 'utf8'), 'new');
  assertSurvivesPowerCut(files.events, path);
});

test('a failure leaves the old file and no other', async (t) => {
  const folder = await tempDir(t);
  const path = join(folder, 'report.json');
  await writeFile(path, 'old');
  const files = new RecordedFiles();
  files.rename = () => Promise.reject(new Error('no'));

  await assert.rejects(writeOutput({ path, content: 'new' }, files), { message: 'no' });

  assert.equal(await readFile(path, 'utf8'), 'old');
  assert.deepEqual(await readdir(folder), ['report.json']);
});

test('a file keeps its mode, unless the caller says another; a new one can be read by all', async (t) => {
  const folder = await tempDir(t);
  const [kept, exact, fresh] = ['kept', 'exact', 'fresh'].map((name) => join(folder, name));
  for (const path of [kept, exact]) {
    await writeFile(path ?? '', 'old');
    await chmod(path ?? '', 0o640);
  }

  await writeFileAtomic(kept ?? '', 'new');
  await writeFileAtomic(exact ?? '', 'new', 0o600);
  await writeFileAtomic(fresh ?? '', 'new');

  const modeOf = async (path = '') => ((await stat(path)).mode & 0o777).toString(8);
  assert.deepEqual(
    [await modeOf(kept), await modeOf(exact), await modeOf(fresh)],
    ['640', '600', '644'],
  );
});

/** Real files that seem to be made by user 1000 in group 1000, and who they are given to. */
class ForeignFiles extends RecordedFiles {
  readonly given: Array<readonly [uid: number, gid: number]> = [];
  mayGive = true;

  override async open(path: string, flags: string, mode?: number) {
    const handle = await super.open(path, flags, mode);
    const chown = async (uid: number, gid: number) => {
      if (!this.mayGive) throw Object.assign(new Error('no'), { code: 'EPERM' });
      this.given.push([uid, gid]);
    };
    const replaced = { stat: async () => ({ uid: 1000, gid: 1000 }), chown };
    return new Proxy(handle, {
      get: (target, key): unknown =>
        Object.hasOwn(replaced, key) ? Reflect.get(replaced, key) : Reflect.get(target, key),
    });
  }
}

test("a file that root writes anew stays its owner's; a given mode makes it a new file", async (t) => {
  const path = join(await tempDir(t), 'theirs');
  await writeFile(path, 'old');
  const { uid, gid } = await stat(path);
  const files = new ForeignFiles();

  await writeOutput({ path, content: 'new' }, files);
  await writeOutput({ path, content: 'exact', mode: 0o600 }, files);

  assert.deepEqual(files.given, [[uid, gid]]);
});

test('who may not give files away writes them all the same', async (t) => {
  const path = join(await tempDir(t), 'theirs');
  await writeFile(path, 'old');
  const files = new ForeignFiles();
  files.mayGive = false;

  await writeOutput({ path, content: 'new' }, files);

  assert.equal(await readFile(path, 'utf8'), 'new');
});

for (const [what, isThere] of [
  ['a file', true],
  ['a name that is free', false],
] as const) {
  test(`a link stays, and ${what} behind it gets the bytes`, async (t) => {
    const folder = await tempDir(t);
    await mkdir(join(folder, 'elsewhere'));
    await mkdir(join(folder, 'links'));
    const target = join(folder, 'elsewhere/real');
    if (isThere) await writeFile(target, 'old');
    await symlink('../elsewhere/real', join(folder, 'links/one'));
    await symlink('one', join(folder, 'links/two'));
    const gathering = join(folder, 'gathering');

    await writeFileAtomic(join(folder, 'links/two'), 'new', undefined, gathering);

    assert.equal(await readlink(join(folder, 'links/two')), 'one');
    assert.equal(await readFile(target, 'utf8'), 'new');
    assert.deepEqual(await readdir(join(folder, 'elsewhere')), ['real']);
  });
}

test('links in a circle are refused by the name that was given', async (t) => {
  const folder = await tempDir(t);
  await symlink('b', join(folder, 'a'));
  await symlink('a', join(folder, 'b'));

  await assert.rejects(writeFileAtomic(join(folder, 'a'), 'x'), {
    code: 'OUTPUT_NOT_A_FILE',
    message: /a circle of links/,
  });
});

test('a folder is refused and keeps what is in it', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'keep'), 'me');

  await assert.rejects(writeFileAtomic(folder, 'x'), {
    code: 'OUTPUT_NOT_A_FILE',
    message: /it is a folder/,
  });

  assert.deepEqual(await readdir(folder), ['keep']);
});

test('a device takes the bytes and stays a device', async (t) => {
  const folder = await tempDir(t);
  await symlink('/dev/null', join(folder, 'null'));

  for (const path of ['/dev/null', join(folder, 'null')])
    await writeFileAtomic(path, 'gone', 0o600);

  const { mode } = await stat('/dev/null');
  assert.equal(mode & 0o170777, 0o020666);
  assert.ok((await lstat(join(folder, 'null'))).isSymbolicLink());
});

test('a full device is told', async () => {
  await assert.rejects(writeFileAtomic('/dev/full', 'x'), { code: 'ENOSPC' });
});

test('a pipe takes more than it can hold and stays a pipe; without a reader it is refused', async (t) => {
  const pipe = join(await tempDir(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  await assert.rejects(writeFileAtomic(pipe, 'x'), { code: 'OUTPUT_PIPE_UNREAD' });
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
  const read = text(reader.stdout);
  const big = 'x'.repeat(300_000);

  await once(reader, 'spawn');
  for (;;) {
    const isRead = await writeFileAtomic(pipe, big).then(
      () => true,
      () => false, // cat has not come so far
    );
    if (isRead) break;
  }

  assert.equal((await read).length, big.length);
  assert.ok((await stat(pipe)).isFIFO());
});

test('a file that is open already, as /dev/stdout may be, is gone on with where it stands', async (t) => {
  const path = join(await tempDir(t), 'out.txt');
  await using file = await open(path, 'w');
  await file.write('before ');

  await writeFileAtomic(`/dev/fd/${file.fd}`, 'between ');
  await file.write('after');

  assert.equal(await readFile(path, 'utf8'), 'before between after');
});
