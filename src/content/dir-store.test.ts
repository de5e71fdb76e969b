import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import { digestOf } from '../oci/digest.ts';
import { systemFiles } from '../shared/durable-files.ts';
import type { Run } from '../shared/run.ts';
import { bytesOf } from './byte-streams.ts';
import { type DirStore, type DirStoreOptions, openDirStore } from './dir-store.ts';
import type { StoredBlob } from './ports.ts';
import { storeContract } from './store.contract.ts';

const hello = Buffer.from('hello');
const blob = { digest: digestOf(hello), size: 5 };

storeContract('DirStore', async (t) => openToWrite(t, await tempDir(t)));

test('a store is an OCI image layout, and nothing else is left in it once closed', async (t) => {
  const root = join(await tempDir(t), 'new', 'layout');
  const store = await openToWrite(t, root);

  await store.put(blob, bytesOf(hello), testRun(t));
  await store.close();

  const names = await readdir(root, { recursive: true });
  const hex = blob.digest.slice('sha256:'.length);
  assert.deepEqual(names.sort(), ['blobs', 'blobs/sha256', `blobs/sha256/${hex}`, 'oci-layout']);
  assert.equal(await readFile(join(root, 'oci-layout'), 'utf8'), '{"imageLayoutVersion":"1.0.0"}');
  assert.equal((await stat(store.blobPath(blob.digest))).mode & 0o777, 0o644);
});

test('what a killed run left behind is not visible, and the next writer removes it', async (t) => {
  const root = await tempDir(t);
  await (await openToWrite(t, root)).close();
  await mkdir(join(root, '.slipway-ingest'));
  await writeFile(join(root, '.slipway-ingest', 'half'), 'hel');
  await writeFile(join(root, '.oci-layout.1234.tmp'), '{"im');
  await mkdir(join(root, 'blobs', 'sha256'), { recursive: true });
  await writeFile(join(root, 'blobs', 'sha256', '.0000.tmp'), 'hel');

  const reader = await openDirStore(root);
  const seen = await listed(reader, testRun(t));
  await openToWrite(t, root);

  assert.deepEqual(seen, []);
  assert.deepEqual((await readdir(root)).sort(), ['.slipway-lock', 'blobs', 'oci-layout']);
});

test('a put that fails leaves no temporary file, and keeps its lock', async (t) => {
  const root = await tempDir(t);
  const store = await openToWrite(t, root);

  await assert.rejects(store.put(blob, bytesOf(hello.subarray(1)), testRun(t)));

  assert.deepEqual(await readdir(join(root, '.slipway-ingest')), []);
  await assert.rejects(openToWrite(t, root), { code: 'STORE_LOCKED' });
});

test('a writer killed in the middle of a blob leaves nothing that counts', async (t) => {
  const root = await tempDir(t);
  const script = `
    import { openDirStore } from ${JSON.stringify(new URL('dir-store.ts', import.meta.url).href)};
    import { startRun } from ${JSON.stringify(new URL('../shared/run.ts', import.meta.url).href)};
    const store = await openDirStore(${JSON.stringify(root)}, { write: true });
    async function* slow() {
      yield Buffer.alloc(2_000_000);
      console.log('half-way');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    }
    await store.put(${JSON.stringify({ ...blob, size: 4_000_000 })}, slow(), startRun());`;
  const writer = spawn(process.execPath, ['--input-type=module', '-e', script]);
  t.after(() => writer.kill('SIGKILL'));
  await once(writer.stdout, 'data');
  await assert.rejects(openToWrite(t, root), { code: 'STORE_LOCKED' });

  writer.kill('SIGKILL');
  await once(writer, 'exit');
  const leftBehind = await readdir(join(root, '.slipway-ingest'));
  const next = await openToWrite(t, root);

  assert.equal(leftBehind.length, 1);
  assert.deepEqual(await listed(next, testRun(t)), []);
  assert.deepEqual((await readdir(root)).sort(), ['.slipway-lock', 'oci-layout']);
  await next.put(blob, bytesOf(hello), testRun(t));
  assert.equal(await next.find(blob.digest, testRun(t)), 5);
});

test('readers need no lock and see each blob as soon as it is complete', async (t) => {
  const root = await tempDir(t);
  const writer = await openToWrite(t, root);
  const reader = await openDirStore(root);

  const before = await reader.find(blob.digest, testRun(t));
  await writer.put(blob, bytesOf(hello), testRun(t));

  assert.equal(before, undefined);
  assert.equal(await reader.find(blob.digest, testRun(t)), 5);
});

test('a reader cannot write', async (t) => {
  const root = await tempDir(t);
  await (await openToWrite(t, root)).close();
  const reader = await openDirStore(root);

  const refusal = { code: 'STORE_READ_ONLY' };
  await assert.rejects(reader.put(blob, bytesOf(hello), testRun(t)), refusal);
  await assert.rejects(reader.begin(testRun(t)), refusal);
  await assert.rejects(reader.remove(blob.digest, testRun(t)), refusal);
});

test('a blob of the wrong size on the disk does not count and is replaced', async (t) => {
  const store = await openToWrite(t, await tempDir(t));
  await store.put(blob, bytesOf(hello), testRun(t));
  await writeFile(store.blobPath(blob.digest), 'hel');

  await store.put(blob, bytesOf(hello), testRun(t));

  assert.equal(await readFile(store.blobPath(blob.digest), 'utf8'), 'hello');
});

test('a link in the place of a blob is never followed', async (t) => {
  const root = await tempDir(t);
  const store = await openToWrite(t, root);
  const secret = join(await tempDir(t), 'secret');
  await writeFile(secret, 'hello');
  await mkdir(join(root, 'blobs', 'sha256'), { recursive: true });
  await symlink(secret, store.blobPath(blob.digest));

  assert.equal(await store.find(blob.digest, testRun(t)), undefined);
  assert.deepEqual(await listed(store, testRun(t)), []);
  await assert.rejects(store.open(blob, testRun(t)), { code: 'BLOB_NOT_FOUND' });
});

test('a pipe in the place of a blob is no blob, and nobody waits for its other end', async (t) => {
  const root = await tempDir(t);
  const store = await openToWrite(t, root);
  await mkdir(join(root, 'blobs', 'sha256'), { recursive: true });
  execFileSync('mkfifo', [store.blobPath(blob.digest)]);

  await assert.rejects(store.open(blob, testRun(t)), { code: 'BLOB_NOT_FOUND' });
});

test('a full disk is told with path and size, and nothing is left behind', async (t) => {
  const root = await tempDir(t);
  const files = { ...systemFiles, open: () => open('/dev/full', 'w') };
  const store = await openToWrite(t, root, { files });

  const putting = store.put(blob, bytesOf(hello), testRun(t));

  await assert.rejects(putting, (error: Error & { code: string; data: { sizeBytes: number } }) => {
    assert.equal(error.code, 'DISK_FULL');
    assert.equal(error.data.sizeBytes, 5);
    assert.ok(error.message.includes(root));
    return true;
  });
  assert.equal(await store.find(blob.digest, testRun(t)), undefined);
});

test('an upload in pieces that met a full disk cannot be committed', async (t) => {
  const files = { ...systemFiles, open: () => open('/dev/full', 'w') };
  const store = await openToWrite(t, await tempDir(t), { files });

  await using ingest = await store.begin(testRun(t));
  await assert.rejects(ingest.append(bytesOf(hello), testRun(t)), { code: 'DISK_FULL' });

  await assert.rejects(ingest.commit(blob.digest, testRun(t)), { code: 'DISK_FULL' });
});

test('a folder with something else in it is refused and left alone', async (t) => {
  const root = await tempDir(t);
  await writeFile(join(root, 'thesis.txt'), 'mine');

  await assert.rejects(openToWrite(t, root), { code: 'LAYOUT_INVALID', message: /thesis\.txt/ });

  assert.deepEqual(await readdir(root), ['thesis.txt']);
});

test('a layout of an unknown version, a broken marker and no folder are refused', async (t) => {
  const root = await tempDir(t);
  const missing = join(root, 'missing');
  const refusal = { code: 'LAYOUT_INVALID' };

  await assert.rejects(openDirStore(missing), refusal);
  for (const marker of ['{"imageLayoutVersion":"2.0.0"}', 'not json', '']) {
    await writeFile(join(root, 'oci-layout'), marker);
    await assert.rejects(openDirStore(root), refusal);
    await assert.rejects(openToWrite(t, root), refusal);
  }
});

async function openToWrite(
  t: TestContext,
  root: string,
  options: DirStoreOptions = {},
): Promise<DirStore> {
  const store = await openDirStore(root, { ...options, write: true });
  t.after(() => store.close());
  return store;
}

async function listed(store: DirStore, run: Run): Promise<StoredBlob[]> {
  const found: StoredBlob[] = [];
  for await (const one of store.list(run)) found.push(one);
  return found;
}

test('an upload counts as put when it is committed, however long its bytes took', async (t) => {
  let now = 1_000_000;
  const clock = { now: () => now, monotonic: () => 0 };
  const store = await openDirStore(await tempDir(t), { write: true, clock });
  t.after(() => store.close());
  await using ingest = await store.begin(testRun(t));
  await ingest.append(bytesOf(hello), testRun(t));
  now = 8_000_000;

  await ingest.commit(blob.digest, testRun(t));

  for await (const { storedAtMs } of store.list(testRun(t))) assert.equal(storedAtMs, now);
});

test('what is put again counts as put now, by the clock of the store', async (t) => {
  const now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, monotonic: () => 0 };
  const store = await openDirStore(await tempDir(t), { write: true, clock });
  t.after(() => store.close());
  const bytes = Buffer.from('twice');
  const blob = { digest: digestOf(bytes), size: bytes.length };
  await store.put(blob, bytesOf(bytes), testRun(t));

  await store.put(blob, bytesOf(bytes), testRun(t));

  for await (const { storedAtMs } of store.list(testRun(t))) assert.equal(storedAtMs, now);
});
