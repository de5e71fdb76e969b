import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { assertSurvivesPowerCut, RecordedFiles } from '../../../test/support/recorded-files.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { digestOf } from '../../oci/digest.ts';
import { MediaTypes } from '../../oci/media-types.ts';
import { DirRepositories } from './dir-repositories.ts';
import { repositoriesContract } from './repositories.contract.ts';

for (const isExclusive of [true, false]) {
  repositoriesContract(`a folder${isExclusive ? ', alone' : ''}`, async (t) => {
    return new DirRepositories(join(await tempDir(t), 'repositories'), { isExclusive });
  });
}

const mediaType = MediaTypes.ociManifest;
const descriptor = { mediaType, digest: digestOf('m'), size: 1 };
const subject = digestOf('subject');

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

test('another process sees what was written, and the next one finds it again', async (t) => {
  const root = await tempDir(t);
  const writer = new DirRepositories(root, { isExclusive: true });
  const reader = new DirRepositories(root, { isExclusive: false });
  await writer.putManifest('team/app', { descriptor, subject });
  await writer.setTag('team/app', 'v1', descriptor.digest);
  assert.equal(await reader.resolve('team/app', 'v1'), descriptor.digest);

  await writer.setTag('team/app', 'v1', subject);

  assert.equal(await reader.resolve('team/app', 'v1'), subject);
  assert.deepEqual(await reader.referrers('team/app', subject), [descriptor]);
  assert.deepEqual(await reader.repositories(), ['team/app']);
});

test('what a kill leaves half written does not count', async (t) => {
  const root = await tempDir(t);
  const store = new DirRepositories(root, { isExclusive: true });
  const { digest } = descriptor;
  const hex = digest.slice('sha256:'.length);
  // Temporary files, and a referrer whose manifest was not written any more.
  await put(join(root, 'app/_tags/.v1.5f0c.tmp'), 'sha256:ab');
  await put(join(root, `app/_manifests/sha256/.${hex}.5f0c.tmp`), '{"descr');
  await put(join(root, `app/_referrers/sha256/${subject.slice(7)}/sha256-${hex}`), '');

  assert.deepEqual(await store.tags('app'), []);
  assert.deepEqual(await store.manifests('app'), []);
  assert.deepEqual(await store.referrers('app', subject), []);

  await store.putManifest('app', { descriptor, subject });

  assert.deepEqual(await store.referrers('app', subject), [descriptor]);
});

for (const [what, path, text] of [
  ['a tag', 'app/_tags/v1', 'sha256:ab'],
  ['an emptied tag', 'app/_tags/v1', ''],
  ['a manifest', `app/_manifests/sha256/${descriptor.digest.slice(7)}`, '{"descr'],
  ['an empty manifest', `app/_manifests/sha256/${descriptor.digest.slice(7)}`, '{}'],
] as const) {
  test(`${what} that was damaged is named`, async (t) => {
    const root = await tempDir(t);
    const store = new DirRepositories(root, { isExclusive: true });
    await put(join(root, path), text);

    const reading = path.includes('_tags')
      ? store.resolve('app', 'v1')
      : store.findManifest('app', descriptor.digest);

    await assert.rejects(reading, (error: Error & { code?: string }) => {
      assert.equal(error.code, 'REPOSITORY_STATE_DAMAGED');
      return error.message.includes(join(root, path));
    });
  });
}

test('writing leaves no temporary files', async (t) => {
  const root = await tempDir(t);
  const store = new DirRepositories(root, { isExclusive: true });

  await store.putManifest('app', { descriptor, subject });
  await store.setTag('app', 'v1', descriptor.digest);
  await store.linkBlob('app', subject);

  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map((file) => file.name);
  const [hex, subjectHex] = [descriptor.digest.slice(7), subject.slice(7)];
  assert.deepEqual(names.sort(), [hex, subjectHex, `sha256-${hex}`, 'v1'].sort());
});

test('what was written survives a power cut: file before name, folder after it', async (t) => {
  const root = join(await tempDir(t), 'repositories');
  const files = new RecordedFiles();
  const store = new DirRepositories(root, { isExclusive: true, files });
  const { digest } = descriptor;
  const hex = digest.slice(7);

  await store.putManifest('team/app', { descriptor, subject }, ['v1']);

  assertSurvivesPowerCut(files.events, join(root, 'team/app/_manifests/sha256', hex));
  assertSurvivesPowerCut(files.events, join(root, 'team/app/_tags/v1'));
  const synced = () => files.events.filter(({ did }) => did === 'sync').map(({ path }) => path);
  const referrers = join(root, 'team/app/_referrers/sha256', subject.slice(7));
  for (const folder of [referrers, dirname(root), root, join(root, 'team'), join(root, 'team/app')])
    assert.ok(synced().includes(folder), folder);
  const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['_blobs/sha256', () => store.linkBlob('team/app', subject)],
    ['_blobs/sha256', () => store.unlinkBlob('team/app', subject)],
    ['_tags', () => store.removeTag('team/app', 'v1')],
    ['_manifests/sha256', () => store.removeManifest('team/app', digest)],
  ];
  for (const [folder, call] of calls) {
    files.events.length = 0;
    await call();
    assert.ok(synced().includes(join(root, 'team/app', folder)), `${folder} after ${call}`);
  }
});

test('a link that another caller is making counts only once it is kept', async (t) => {
  const files = new RecordedFiles();
  const root = await tempDir(t);
  const store = new DirRepositories(root, { isExclusive: true, files });
  const folder = join(root, 'app/_blobs/sha256');
  const isKept = () => files.events.some(({ did, path }) => did === 'sync' && path === folder);

  const kept = await Promise.all([
    store.linkBlob('app', subject).then(isKept),
    store.linkBlob('app', subject).then(isKept),
    store.holdsBlob('app', subject).then(isKept),
  ]);

  assert.deepEqual(kept, [true, true, true]);
});
