/** What a store said it has taken survives a power cut (promise P5). */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { assertSurvivesPowerCut, RecordedFiles } from '../../test/support/recorded-files.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { digestOf } from '../oci/digest.ts';
import { bytesOf } from './byte-streams.ts';
import { type DirStore, openDirStore } from './dir-store.ts';

const bytes = Buffer.alloc(20 * 1024 * 1024, 'slipway ');
const blob = { digest: digestOf(bytes), size: bytes.length };
const small = Buffer.from('hello');
const smallBlob = { digest: digestOf(small), size: small.length };

class FailingSync extends RecordedFiles {
  failures = 0;
  readonly #failing: 'sync' | 'datasync';

  constructor(failing: 'sync' | 'datasync') {
    super();
    this.#failing = failing;
  }

  override async open(path: string, flags: string, mode?: number) {
    const handle = await super.open(path, flags, mode);
    if (flags !== 'wx') return handle;
    const fail = async () => {
      this.failures += 1;
      // As the kernel does: the loss of bytes is told once, the next call succeeds.
      if (this.failures === 1) throw Object.assign(new Error('lost'), { code: 'EIO' });
    };
    return new Proxy(handle, {
      get: (target, key) => (key === this.#failing ? fail : memberOf(target, key)),
    });
  }
}

function memberOf(target: object, key: PropertyKey): unknown {
  const value: unknown = Reflect.get(target, key, target);
  return typeof value === 'function' ? value.bind(target) : value;
}

async function open(t: TestContext, root: string, files: RecordedFiles): Promise<DirStore> {
  const store = await openDirStore(root, { write: true, files });
  t.after(() => store.close());
  return store;
}

for (const [what, take] of [
  [
    'a blob that was put',
    async (store: DirStore, t: TestContext) => store.put(blob, bytesOf(bytes), testRun(t)),
  ],
  [
    'an upload that was committed',
    async (store: DirStore, t: TestContext) => {
      await using ingest = await store.begin(testRun(t));
      await ingest.append(bytesOf(bytes), testRun(t));
      await ingest.commit(blob.digest, testRun(t));
    },
  ],
] as const) {
  test(`${what} has its bytes on the disk before its name, and keeps the name`, async (t) => {
    const files = new RecordedFiles();
    const store = await open(t, await tempDir(t), files);

    await take(store, t);

    assertSurvivesPowerCut(files.events, store.blobPath(blob.digest));
  });

  test(`${what} keeps also the folders that were made for it`, async (t) => {
    const files = new RecordedFiles();
    const root = await tempDir(t);
    const store = await open(t, root, files);

    await take(store, t);

    const synced = files.events.filter(({ did }) => did === 'sync').map(({ path }) => path);
    for (const folder of [root, join(root, 'blobs')]) assert.ok(synced.includes(folder), folder);
  });

  for (const call of ['sync', 'datasync'] as const) {
    test(`${what}, but whose ${call} failed, was not taken`, async (t) => {
      const root = await tempDir(t);
      const files = new FailingSync(call);
      const store = await open(t, root, files);

      await assert.rejects(take(store, t), { code: 'EIO' });

      assert.ok(files.failures > 0);
      assert.equal(await store.find(blob.digest, testRun(t)), undefined);
      assert.deepEqual(await readdir(join(root, '.slipway-ingest')), []);
    });
  }
}

test('the disk writes the first bytes of a big blob while the last ones are on their way', async (t) => {
  const files = new RecordedFiles();
  const store = await open(t, await tempDir(t), files);
  const half = bytes.length / 2;
  async function* slowly() {
    yield* bytesOf(bytes.subarray(0, half));
    const isSyncing = () => files.events.some(({ did }) => did === 'sync');
    await waitUntil(isSyncing, { what: 'the disk, which waits for the end' });
    yield* bytesOf(bytes.subarray(half));
  }

  await store.put(blob, slowly(), testRun(t));
});

test('a blob that another caller is giving its name counts as put only once it is kept', async (t) => {
  const files = new RecordedFiles();
  const store = await open(t, await tempDir(t), files);
  const path = store.blobPath(smallBlob.digest);
  const run = testRun(t);
  await using ingest = await store.begin(run);
  await ingest.append(bytesOf(small), run);
  const { promise: isVisible, resolve } = Promise.withResolvers<void>();
  const rename = files.rename.bind(files);
  files.rename = async (from, to) => {
    await rename(from, to);
    resolve();
  };

  const committing = ingest.commit(smallBlob.digest, run);
  await isVisible;
  await store.put(smallBlob, bytesOf(small), run);
  const atPut = [...files.events];
  await committing;

  const after = atPut.slice(atPut.findIndex((event) => event.to === path));
  assert.ok(after.some(({ did, path: at }) => did === 'sync' && at === dirname(path)));
});
