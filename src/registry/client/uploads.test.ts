import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type FakeUploadOptions,
  type FakeUploads,
  startFakeUploads,
} from '../../../test/support/fake-blob-uploads.ts';
import { sendError } from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import type { ByteStream } from '../../content/ports.ts';
import { digestOf } from '../../oci/digest.ts';
import { withSignal } from '../../shared/run.ts';

const KiB = 1024;
const small = Buffer.from('config');
const large = Buffer.alloc(1024 * KiB + 5, 'slipway ');
const refOf = (bytes: Buffer) => ({ digest: digestOf(bytes), size: bytes.length });
const smallChunks = { limits: { chunkBytes: 256 * KiB } };
const chunksOnly = { limits: { chunkBytes: 256 * KiB, monolithicBytes: 0 } };

/** Methods with the kind of path: `POST uploads`, `HEAD blob`. */
const asked = (server: FakeUploads) =>
  server.asked.map(
    (line) => `${line.split(' ')[0]} ${line.includes('/uploads/') ? 'upload' : 'blob'}`,
  );

/** A stream in pieces as they come from a network or a disk. */
async function* pieces(bytes: Buffer, size = 64 * KiB): ByteStream {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

for (const location of ['absolute', 'relative'] as const) {
  test(`a blob is asked for, then sent in one piece, to an ${location} address with its state`, async (t) => {
    const server = await startFakeUploads(t, { location });
    const repository = openClient(t, server.url).repository('app');

    await repository.put(refOf(large), pieces(large), testRun(t));

    assert.deepEqual(server.blobs.get(`app@${digestOf(large)}`), large);
    assert.deepEqual(asked(server), ['HEAD blob', 'POST upload', 'PUT upload']);
    assert.equal(server.requests.at(-1)?.headers['content-length'], String(large.length));
  });
}

test('who knows that the blob is missing saves the question', async (t) => {
  const server = await startFakeUploads(t);
  const repository = openClient(t, server.url).repository('app');

  await repository.put(refOf(small), pieces(small), testRun(t), { isMissing: true });

  assert.deepEqual(asked(server), ['POST upload', 'PUT upload']);
});

test('a blob that is there is neither read nor sent', async (t) => {
  const server = await startFakeUploads(t);
  server.blobs.set(`app@${digestOf(small)}`, small);
  const repository = openClient(t, server.url).repository('app');
  let isRead = false;
  const watched = async function* () {
    isRead = true;
    yield small;
  };

  await repository.put(refOf(small), watched(), testRun(t));

  assert.equal(isRead, false);
  assert.deepEqual(asked(server), ['HEAD blob']);
});

test('several writers of one blob share one upload', async (t) => {
  const server = await startFakeUploads(t);
  const client = openClient(t, server.url);

  await Promise.all(
    Array.from({ length: 4 }, () =>
      client.repository('app').put(refOf(large), pieces(large), testRun(t)),
    ),
  );

  assert.deepEqual(asked(server), ['HEAD blob', 'POST upload', 'PUT upload']);
});

test('when the first of several writers fails, the next one takes over with its own bytes', async (t) => {
  const server = await startFakeUploads(t);
  const repository = openClient(t, server.url).repository('app');
  const broken = async function* () {
    yield small.subarray(0, 2);
    throw new Error('line cut');
  };

  const first = repository.put(refOf(small), broken(), testRun(t));
  const second = repository.put(refOf(small), pieces(small), testRun(t));

  await assert.rejects(first, /line cut/);
  await second;
  assert.deepEqual(server.blobs.get(`app@${digestOf(small)}`), small);
});

const transfers: ReadonlyArray<
  readonly [
    claim: string,
    options: FakeUploadOptions,
    settings: Parameters<ReturnType<typeof fakeWorld>['settings']>[0],
  ]
> = [
  ['in chunks with their ranges, above the size that goes in one piece', {}, chunksOnly],
  ['in larger chunks for a registry that wants them', { minChunkBytes: 500 * KiB }, chunksOnly],
  [
    'in one piece again after the connection broke near the beginning',
    { cut: { method: 'PUT', afterBytes: 100 * KiB, times: 1 } },
    { limits: { chunkBytes: 4096 * KiB } },
  ],
  ['in chunks to a registry that refuses it in one piece', { onlyChunks: true }, {}],
  ['in smaller chunks through a proxy that limits bodies', { maxBodyBytes: 300 * KiB }, {}],
  [
    'by what is missing after a chunk broke off in the middle',
    { cut: { method: 'PATCH', afterBytes: 70 * KiB, times: 2 } },
    chunksOnly,
  ],
  [
    'by whole chunks to a registry that keeps nothing of a broken one',
    { cut: { method: 'PATCH', afterBytes: 70 * KiB, times: 2 }, keepsParts: false },
    chunksOnly,
  ],
];

for (const [claim, options, settings] of transfers) {
  test(`a large blob arrives ${claim}`, async (t) => {
    const server = await startFakeUploads(t, options);
    const client = openClient(t, server.url, { settings: fakeWorld().settings(settings) });

    await client.repository('app').put(refOf(large), pieces(large), testRun(t));

    assert.deepEqual(server.blobs.get(`app@${digestOf(large)}`), large);
    assert.deepEqual([...server.sessions.keys()], []);
  });
}

test('a chunk that broke off costs only its missing rest', async (t) => {
  const server = await startFakeUploads(t, {
    cut: { method: 'PATCH', afterBytes: 64 * KiB, times: 1 },
  });
  const settings = fakeWorld().settings(chunksOnly);
  const client = openClient(t, server.url, { settings });

  await client.repository('app').put(refOf(large), pieces(large), testRun(t));

  const sent = server.requests
    .filter(({ method }) => method === 'PATCH')
    .map(({ headers }) => headers['content-range']);
  assert.equal(sent[0], `0-${256 * KiB - 1}`);
  assert.equal(sent[1], `${64 * KiB}-${256 * KiB - 1}`);
});

test('a large upload that broke late fails in a way that a retry helps, and then goes in chunks', async (t) => {
  const server = await startFakeUploads(t, {
    cut: { method: 'PUT', afterBytes: 900 * KiB, times: 1 },
  });
  const client = openClient(t, server.url, { settings: fakeWorld().settings(smallChunks) });
  const repository = client.repository('app');

  const first = repository.put(refOf(large), pieces(large), testRun(t));
  await assert.rejects(first, { code: 'REGISTRY_CONNECTION_LOST', retry: true });
  await repository.put(refOf(large), pieces(large), testRun(t));

  assert.deepEqual(server.blobs.get(`app@${digestOf(large)}`), large);
  assert.ok(asked(server).includes('PATCH upload'));
});

test('a registry that lost the beginning of an upload is named, and the upload is not glued together', async (t) => {
  let patches = 0;
  const server = await startFakeUploads(t, {
    instead: ({ method, incoming }) => {
      patches += method === 'PATCH' ? 1 : 0;
      if (method === 'PATCH' && patches === 3) {
        for (const id of server.sessions.keys()) server.sessions.set(id, Buffer.alloc(7));
        incoming.socket.destroy();
        return true;
      }
      return false;
    },
  });
  const settings = fakeWorld().settings({ ...chunksOnly, retry: { attempts: 2 } });
  const client = openClient(t, server.url, { settings });

  const putting = client.repository('app').put(refOf(large), pieces(large), testRun(t));

  await assert.rejects(putting, { code: 'UPLOAD_LOST', retry: true });
});

test('when the answer to the last request is lost, the blob is looked for before it is sent again', async (t) => {
  let lost = 1;
  const server = await startFakeUploads(t, {
    instead: ({ method, incoming, path }) => {
      if (method !== 'PUT' || lost === 0) return false;
      lost -= 1;
      const id = /uploads\/(s\d+)/.exec(path)?.[1] ?? '';
      server.blobs.set(`app@${digestOf(large)}`, server.sessions.get(id) ?? small);
      server.sessions.delete(id);
      incoming.socket.destroy();
      return true;
    },
  });
  const client = openClient(t, server.url, { settings: fakeWorld().settings(chunksOnly) });

  await client.repository('app').put(refOf(large), pieces(large), testRun(t));

  assert.equal(asked(server).filter((line) => line === 'POST upload').length, 1);
});

for (const status of [500, 503, 429]) {
  test(`an upload that is answered with ${status} once is begun again`, async (t) => {
    let failures = 1;
    const server = await startFakeUploads(t, {
      instead: ({ method, incoming }, response) => {
        if (method !== 'PUT' || failures === 0) return false;
        failures -= 1;
        incoming.resume();
        sendError(response, status, 'TROUBLE');
        return true;
      },
    });
    const repository = openClient(t, server.url).repository('app');

    await repository.put(refOf(small), pieces(small), testRun(t));

    assert.deepEqual(server.blobs.get(`app@${digestOf(small)}`), small);
    assert.equal(server.sessions.size, 0);
  });
}

const bad: ReadonlyArray<readonly [claim: string, sent: Buffer, code: string]> = [
  ['too short', large.subarray(1), 'BLOB_SIZE_MISMATCH'],
  ['too long', Buffer.concat([large, small]), 'BLOB_SIZE_MISMATCH'],
  ['other bytes', Buffer.alloc(large.length, 'x'), 'BLOB_DIGEST_MISMATCH'],
];

for (const [claim, sent, code] of bad) {
  for (const [way, settings] of [
    ['in one piece', {}],
    ['in chunks', chunksOnly],
  ] as const) {
    test(`a source that is ${claim} is ${code} ${way}, and the session is cancelled`, async (t) => {
      const server = await startFakeUploads(t);
      const client = openClient(t, server.url, { settings: fakeWorld().settings(settings) });

      const putting = client.repository('app').put(refOf(large), pieces(sent), testRun(t));

      await assert.rejects(putting, { code });
      assert.equal(server.blobs.size, 0);
      assert.equal(server.sessions.size, 0);
    });
  }
}

test('an aborted upload ends with its reason and cancels the session', async (t) => {
  const server = await startFakeUploads(t);
  const abort = new AbortController();
  const repository = openClient(t, server.url).repository('app');
  const aborting = async function* () {
    yield large.subarray(0, 500 * KiB);
    abort.abort(new Error('stopped by the user'));
    yield large.subarray(500 * KiB);
  };

  const run = withSignal(testRun(t), abort.signal);
  await assert.rejects(repository.put(refOf(large), aborting(), run), /stopped by the user/);

  assert.equal(server.blobs.size, 0);
  assert.equal(server.sessions.size, 0);
});

test('a repository that may not be created is named, and the source is let go of', async (t) => {
  const server = await startFakeUploads(t, {
    instead: ({ method }, response) => {
      if (method === 'POST') sendError(response, 404, 'NAME_UNKNOWN');
      return method === 'POST';
    },
  });
  let isReleased = false;
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false as const, value: small }),
      return: async () => {
        isReleased = true;
        return { done: true as const, value: undefined };
      },
    }),
  };
  const repository = openClient(t, server.url).repository('app');

  const putting = repository.put(refOf(small), source, testRun(t));

  await assert.rejects(putting, { code: 'REPOSITORY_NOT_FOUND', message: /\(target\).*app/ });
  assert.equal(isReleased, true);
});

test('an empty blob can be put', async (t) => {
  const server = await startFakeUploads(t);
  const empty = Buffer.alloc(0);

  await openClient(t, server.url).repository('app').put(refOf(empty), bytesOf(empty), testRun(t));

  assert.deepEqual(server.blobs.get(`app@${digestOf(empty)}`), empty);
});
