/** What every content store keeps to; run it from the store's own test. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test, { type TestContext } from 'node:test';
import { testRun } from '../../test/support/test-run.ts';
import { type Digest, type DigestAlgorithm, digestOf } from '../oci/digest.ts';
import { type Run, startRun, withSignal } from '../shared/run.ts';
import { bytesOf, collectBytes } from './byte-streams.ts';
import type { BlobIngester, BlobStore, ByteStream } from './ports.ts';

type Store = BlobStore & BlobIngester;

/** Registers the suite: `storeContract('DirStore', async (t) => openDirStore(await tempDir(t)))`. */
export function storeContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  const claim = (text: string, body: (store: Store, run: Run) => Promise<void>) =>
    void test(`${name}: ${text}`, async (t) => body(await open(t), testRun(t)));

  for (const algorithm of ['sha256', 'sha512'] as const) {
    claim(
      `what is put under a ${algorithm} digest can be found, opened and listed`,
      async (store, run) => {
        const blob = blobOf('hello', algorithm);

        await store.put(blob, blob.stream(), run);

        assert.equal(await store.find(blob.digest, run), 5);
        assert.equal(await textOf(store, blob, run), 'hello');
        assert.deepEqual(await listed(store, run), [blob.digest]);
      },
    );
  }

  claim('an empty blob is a blob', async (store, run) => {
    const blob = blobOf('');

    await store.put(blob, blob.stream(), run);

    assert.equal(await store.find(blob.digest, run), 0);
    assert.equal(await textOf(store, blob, run), '');
  });

  claim('a blob of several megabytes comes back unchanged, from any byte', async (store, run) => {
    const bytes = Buffer.alloc(3_000_000, 'slipway ');
    const blob = { digest: digestOf(bytes), size: bytes.length };

    await store.put(blob, Readable.from(bytesOf(bytes)), run);

    assert.deepEqual(Buffer.from(await collectBytes(await store.open(blob, run))), bytes);
    const tail = await collectBytes(await store.open(blob, run, 2_999_993));
    assert.equal(Buffer.from(tail).toString(), bytes.subarray(2_999_993).toString());
  });

  claim('what was never put is not found', async (store, run) => {
    const blob = blobOf('absent');

    assert.equal(await store.find(blob.digest, run), undefined);
    await assert.rejects(store.open(blob, run), { code: 'BLOB_NOT_FOUND' });
  });

  claim('a truncated blob leaves nothing behind', async (store, run) => {
    const blob = blobOf('hello');

    const putting = store.put(blob, streamOf('hell'), run);

    await assert.rejects(putting, { code: 'BLOB_SIZE_MISMATCH' });
    assert.deepEqual(await listed(store, run), []);
  });

  claim('a blob that is too long is cut off and leaves nothing behind', async (store, run) => {
    const blob = blobOf('hello');
    const endless = endlessStream();

    await assert.rejects(store.put(blob, endless.bytes, run), { code: 'BLOB_SIZE_MISMATCH' });

    assert.equal(endless.isReleased(), true);
    assert.deepEqual(await listed(store, run), []);
  });

  claim(
    'a blob with other bytes than its digest names leaves nothing behind',
    async (store, run) => {
      const blob = blobOf('hello');

      const putting = store.put(blob, streamOf('hullo'), run);

      await assert.rejects(putting, { code: 'BLOB_DIGEST_MISMATCH' });
      assert.deepEqual(await listed(store, run), []);
    },
  );

  claim(
    'a source that fails half-way leaves nothing behind and its error comes out',
    async (store, run) => {
      const blob = blobOf('hello');

      const putting = store.put(blob, streamOf('he', new Error('line cut')), run);

      await assert.rejects(putting, /line cut/);
      assert.deepEqual(await listed(store, run), []);
    },
  );

  claim('an aborted put ends at once though its source is silent', async (store, run) => {
    const blob = blobOf('hello');
    const abort = new AbortController();
    const silent = silentStream();

    const putting = store.put(blob, silent.bytes, withSignal(run, abort.signal));
    await silent.isRead;
    abort.abort(new Error('stopped by the test'));

    await assert.rejects(putting, /stopped by the test/);
    assert.deepEqual(await listed(store, run), []);
  });

  claim('putting what is there succeeds without reading the bytes', async (store, run) => {
    const blob = blobOf('hello');
    await store.put(blob, blob.stream(), run);
    const unread = countingStream('hello');

    await store.put(blob, unread.bytes, run);

    assert.equal(unread.chunksRead(), 0);
  });

  claim(
    'putting what is there lets go of a connection that nobody will read',
    async (store, run) => {
      const blob = blobOf('hello');
      await store.put(blob, blob.stream(), run);
      const connection = new Readable({ read: () => {} });

      await store.put(blob, connection, run);

      assert.equal(connection.destroyed, true);
    },
  );

  claim('callers that put one blob at the same time share one write', async (store, run) => {
    const blob = blobOf('hello');
    const streams = Array.from({ length: 5 }, () => countingStream('hello'));

    await Promise.all(streams.map(({ bytes }) => store.put(blob, bytes, run)));

    assert.equal(streams.filter((stream) => stream.chunksRead() > 0).length, 1);
    assert.equal(await textOf(store, blob, run), 'hello');
  });

  claim(
    'when the writing caller fails, a waiting one writes from its own bytes',
    async (store, run) => {
      const blob = blobOf('hello');

      const cut = heldBack('he', new Error('line cut'));
      const first = statusOf(store.put(blob, cut.stream, run));
      await cut.begun;
      const whole = heldBack('hello');
      const second = statusOf(store.put(blob, whole.stream, run));
      cut.release();
      await whole.begun;
      const third = statusOf(store.put(blob, streamOf('hullo'), run));
      whole.release();
      const outcomes = await Promise.all([first, second, third]);

      assert.deepEqual(outcomes, ['rejected', 'fulfilled', 'fulfilled']);
      assert.equal(await textOf(store, blob, run), 'hello');
    },
  );

  claim('removing is final, and removing what is not there succeeds', async (store, run) => {
    const blob = blobOf('hello');
    await store.put(blob, blob.stream(), run);

    await store.remove(blob.digest, run);
    await store.remove(blob.digest, run);

    assert.equal(await store.find(blob.digest, run), undefined);
    assert.deepEqual(await listed(store, run), []);
  });

  claim('a name that is no digest is refused before anything is touched', async (store, run) => {
    for (const name of ['sha256:../../../etc/passwd', 'sha256:AB', 'md5:00', '']) {
      const digest = name as Digest; // a caller that broke the type's promise
      const refusal = { code: 'BLOB_NAME_INVALID' };
      await assert.rejects(store.find(digest, run), refusal);
      await assert.rejects(store.open({ digest, size: 1 }, run), refusal);
      await assert.rejects(store.remove(digest, run), refusal);
      await assert.rejects(store.put({ digest, size: 1 }, streamOf('x'), run), refusal);
    }
  });

  for (const algorithm of ['sha256', 'sha512'] as const) {
    claim(
      `an upload in pieces becomes visible on commit, under ${algorithm}`,
      async (store, run) => {
        const blob = blobOf('hello world', algorithm);

        await using ingest = await store.begin(run);
        await ingest.append(streamOf('hello '), run);
        await ingest.append(streamOf('world'), run);
        const before = await store.find(blob.digest, run);
        const committed = await ingest.commit(blob.digest, run);

        assert.equal(before, undefined);
        assert.deepEqual(committed, { digest: blob.digest, size: 11 });
        assert.equal(await textOf(store, blob, run), 'hello world');
      },
    );
  }

  claim('an upload whose sender breaks off goes on from the size it has', async (store, run) => {
    const blob = blobOf('hello world');

    await using ingest = await store.begin(run);
    await assert.rejects(ingest.append(streamOf('hello', new Error('line cut')), run), /line cut/);
    const keptBytes = ingest.size;
    await ingest.append(streamOf(' world'), run);
    await ingest.commit(blob.digest, run);

    assert.equal(keptBytes, 5);
    assert.equal(await textOf(store, blob, run), 'hello world');
  });

  claim('an upload with a wrong digest, or given up, leaves nothing behind', async (store, run) => {
    {
      await using ingest = await store.begin(run);
      await ingest.append(streamOf('hullo'), run);
      const committing = ingest.commit(blobOf('hello').digest, run);
      await assert.rejects(committing, { code: 'BLOB_DIGEST_MISMATCH' });
    }
    {
      await using ingest = await store.begin(run);
      await ingest.append(streamOf('hello'), run);
    }

    assert.deepEqual(await listed(store, run), []);
  });

  claim('nothing starts in a run that is already aborted', async (store) => {
    const run = startRun({ signal: AbortSignal.abort(new Error('over')) });
    const blob = blobOf('hello');

    await assert.rejects(store.find(blob.digest, run), /over/);
    await assert.rejects(store.put(blob, blob.stream(), run), /over/);
    await assert.rejects(store.begin(run), /over/);
  });
}

function blobOf(text: string, algorithm: DigestAlgorithm = 'sha256') {
  const digest = digestOf(text, algorithm);
  return { digest, size: Buffer.byteLength(text), stream: () => streamOf(text) };
}

async function* streamOf(
  text: string,
  failure?: Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (text !== '') yield Buffer.from(text);
  if (failure !== undefined) throw failure;
}

/** Listens at once, so that nothing rejects unheard. */
function statusOf(work: Promise<unknown>): Promise<'fulfilled' | 'rejected'> {
  return work.then(
    () => 'fulfilled',
    () => 'rejected',
  );
}

/** A stream that says when somebody reads it, and sends nothing before it is released. */
function heldBack(text: string, failure?: Error) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* read() {
    begun.resolve();
    await released.promise;
    yield* streamOf(text, failure);
  }
  return { stream: read(), begun: begun.promise, release: () => released.resolve() };
}

function countingStream(text: string) {
  let chunks = 0;
  async function* read() {
    chunks += 1;
    yield Buffer.from(text);
  }
  return { bytes: read(), chunksRead: () => chunks };
}

function endlessStream() {
  let released = false;
  async function* read() {
    try {
      for (;;) yield Buffer.alloc(4);
    } finally {
      released = true;
    }
  }
  return { bytes: read(), isReleased: () => released };
}

function silentStream(): { bytes: ByteStream; isRead: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bytes = new Readable({ read: () => resolve() });
  return { bytes, isRead: promise };
}

async function textOf(store: Store, blob: { digest: Digest; size: number }, run: Run) {
  return Buffer.from(await collectBytes(await store.open(blob, run))).toString();
}

async function listed(store: Store, run: Run): Promise<Digest[]> {
  const digests: Digest[] = [];
  for await (const blob of store.list(run)) digests.push(blob.digest);
  return digests;
}
