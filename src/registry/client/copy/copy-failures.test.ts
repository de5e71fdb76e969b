import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test, { type TestContext } from 'node:test';
import { errorFacts } from '../../../../test/support/error-facts.ts';
import { type Built, FakeRegistry, fill } from '../../../../test/support/fake-registry.ts';
import { testRun } from '../../../../test/support/test-run.ts';
import { bytesOf } from '../../../content/byte-streams.ts';
import { DiskFull } from '../../../content/errors.ts';
import type { ByteStream, ImageSource } from '../../../content/ports.ts';
import type { Digest } from '../../../oci/digest.ts';
import { buildImage, buildIndex } from '../../../oci/image-builder.ts';
import { tarLayer } from '../../../oci/tar-layer.ts';
import { withSignal } from '../../../shared/run.ts';
import { RegistryConnectionLost } from '../errors.ts';
import { copyImages } from './copy-images.ts';
import type { CopyFailure, CopyOutcome } from './copy-job.ts';

const quick = { retry: { attempts: 3, firstDelayMs: 1, maxDelayMs: 1 }, random: () => 0 };
const layer = (text: string) => tarLayer([{ path: text, content: text }]);
const app = buildImage({ layers: [layer('one'), layer('two')] });
const [, one, two] = app.blobs;
assert.ok(one !== undefined && two !== undefined);

const lost = (side: 'source' | 'target') =>
  new RegistryConnectionLost({
    side,
    registry: `${side}.example`,
    host: `${side}.example:443`,
    purpose: 'moving a blob',
    reason: 'reset',
  });

for (const [what, change, code] of [
  ['a truncated blob', (bytes: Uint8Array) => bytes.subarray(0, -1), 'BLOB_SIZE_MISMATCH'],
  [
    'a blob that is too long',
    (bytes: Uint8Array) => Buffer.concat([bytes, bytes]),
    'BLOB_SIZE_MISMATCH',
  ],
  ['a damaged blob', (bytes: Uint8Array) => bytes.with(0, 7), 'BLOB_DIGEST_MISMATCH'],
] as const) {
  test(`${what} leaves nothing behind, and the source is named`, async (t) => {
    const { job, target } = await jobFor(t, app);
    const source = sending(job.source, one.descriptor.digest, () => bytesOf(change(one.bytes)));

    const { images } = await copyImages([{ ...job, source }], quick, testRun(t));

    const [failure = assert.fail()] = failuresIn(images);
    assert.deepEqual(
      [failure.side, failure.label, failure.object],
      ['source', 'upstream.example/app', one.descriptor.digest],
    );
    assert.partialDeepStrictEqual(errorFacts(failure.error), {
      code,
      data: { label: 'upstream.example/app' },
    });
    assert.equal(await target.find(one.descriptor.digest, testRun(t)), undefined);
    assert.equal(await target.findManifest('v1', testRun(t)), undefined);
    assert.equal(await target.findManifest(app.descriptor.digest, testRun(t)), undefined);
  });
}

test('all missing blobs of an image are reported, not just the first', async (t) => {
  const { job } = await jobFor(t, app);
  const source = { ...job.source, open: () => Promise.reject(new Error('gone')) };

  const { images } = await copyImages([{ ...job, source }], quick, testRun(t));

  assert.deepEqual(
    failuresIn(images).map(({ object }) => object),
    app.blobs.map(({ descriptor }) => descriptor.digest),
  );
});

test('one failing image does not stop the others, and the order is that of the jobs', async (t) => {
  const upstream = new FakeRegistry('upstream.example');
  for (const name of ['a', 'c']) await fill(upstream, name, app, { tag: 'v1', run: testRun(t) });
  const site = new FakeRegistry('site.example');
  const jobs = ['a', 'b', 'c'].map((name) => ({
    source: upstream.repository(name),
    reference: 'v1',
    target: site.repository(name),
    tags: ['v1'],
  }));

  const { images, totals } = await copyImages(jobs, quick, testRun(t));

  assert.deepEqual(
    images.map(({ kind }) => kind),
    ['done', 'failed', 'done'],
  );
  assert.deepEqual([totals.done, totals.failed], [2, 1]);
  const [failure = assert.fail()] = failuresIn(images);
  assert.deepEqual(
    [failure.side, failure.label, failure.object],
    ['source', 'upstream.example/b', 'v1'],
  );
  assert.partialDeepStrictEqual(errorFacts(failure.error), { code: 'MANIFEST_NOT_FOUND' });
});

test('a parent is not put when one of its images failed', async (t) => {
  const other = buildImage({
    layers: [layer('other')],
    platform: { os: 'linux', architecture: 'arm64' },
  });
  const { job, target } = await jobFor(t, buildIndex([app, other]));
  const source = sending(job.source, one.descriptor.digest, () => Readable.from([]));

  await copyImages([{ ...job, source }], quick, testRun(t));

  assert.equal(await target.findManifest('v1', testRun(t)), undefined);
  const { digest } = other.descriptor;
  assert.equal(await target.findManifest(digest, testRun(t)), digest);
});

test('a failure of the target is put down to the target, also while the source is read', async (t) => {
  const { job } = await jobFor(t, app);
  const target = {
    ...job.target,
    put: async (_blob: unknown, bytes: ByteStream) => {
      for await (const _ of bytes) throw new DiskFull({ path: '/data', sizeBytes: 7 });
    },
  };

  const { images } = await copyImages([{ ...job, target }], quick, testRun(t));

  const sides = failuresIn(images).map(({ side, label }) => [side, label]);
  assert.deepEqual(
    sides,
    Array.from({ length: 3 }, () => ['target', 'site.example/app']),
  );
});

test('a transfer that broke half-way is repeated, and its bytes are counted once', async (t) => {
  const { job, target } = await jobFor(t, app);
  let attempts = 0;
  const source = sending(job.source, one.descriptor.digest, async function* breakOnce() {
    attempts += 1;
    yield one.bytes.subarray(0, 100);
    if (attempts === 1) throw lost('source');
    yield one.bytes.subarray(100);
  });

  const { totals } = await copyImages([{ ...job, source }], quick, testRun(t));

  assert.equal(attempts, 2);
  assert.deepEqual([totals.done, totals.copied.blobs], [1, 3]);
  assert.equal(await target.find(one.descriptor.digest, testRun(t)), one.bytes.length);
});

test('what failed before a byte moved is not repeated here: the client below has done that', async (t) => {
  const { job } = await jobFor(t, app);
  let attempts = 0;
  const source = {
    ...job.source,
    open: async () => {
      attempts += 1;
      throw lost('source');
    },
  };

  await copyImages([{ ...job, source }], quick, testRun(t));

  assert.equal(attempts, app.blobs.length);
});

test('a blob that one source cannot give is taken from the next image that has it', async (t) => {
  const upstream = new FakeRegistry('upstream.example');
  const site = new FakeRegistry('site.example');
  for (const name of ['a', 'b']) await fill(upstream, name, app, { tag: 'v1', run: testRun(t) });
  const [broken, sound] = ['a', 'b'].map((name) => ({
    source: upstream.repository(name),
    reference: 'v1',
    target: site.repository(name),
    tags: ['v1'],
  }));
  assert.ok(broken !== undefined && sound !== undefined);
  const source = { ...broken.source, open: () => Promise.reject(new Error('gone')) };

  const { images } = await copyImages([{ ...broken, source }, sound], quick, testRun(t));

  assert.deepEqual(
    images.map(({ kind }) => kind),
    ['failed', 'done'],
  );
});

test('a mount that fails is replaced by sending the blob', async (t) => {
  const { job } = await jobFor(t, app);
  let tries = 0;
  const mount = () => {
    tries += 1;
    return Promise.reject(new Error('no mounting today'));
  };
  const target = { ...new FakeRegistry('site.example').repository('second'), mount };

  const jobs = [job, { ...job, target }];
  const { totals } = await copyImages(jobs, quick, testRun(t));

  assert.deepEqual([totals.failed, totals.mounted.blobs, totals.copied.blobs], [0, 0, 6]);
  assert.ok(tries > 0);
});

test('after an abort nothing is under way any more, and nothing half-copied is visible', async (t) => {
  const { job, target } = await jobFor(t, app);
  const abort = new AbortController();
  let isReleased = false;
  const source = sending(job.source, two.descriptor.digest, async function* slow() {
    try {
      yield two.bytes.subarray(0, 10);
      abort.abort(new Error('stopped by the test'));
      yield two.bytes.subarray(10);
    } finally {
      isReleased = true;
    }
  });
  const jobs = [{ ...job, source }, ...Array.from({ length: 50 }, () => job)];

  const copying = copyImages(jobs, quick, withSignal(testRun(t), abort.signal));

  await assert.rejects(copying, /stopped by the test/);
  assert.equal(isReleased, true);
  assert.equal(await target.find(two.descriptor.digest, testRun(t)), undefined);
  assert.equal(await target.findManifest('v1', testRun(t)), undefined);
});

test('a source that gives another manifest than the index lists is found out', async (t) => {
  const index = buildIndex([app]);
  const { job } = await jobFor(t, index);
  const padded = {
    descriptor: app.descriptor,
    bytes: Buffer.concat([app.bytes, Buffer.from(' ')]),
  };
  const source: ImageSource = {
    ...job.source,
    fetchManifest: async (reference, run) =>
      reference === app.descriptor.digest ? padded : job.source.fetchManifest(reference, run),
  };

  const { images } = await copyImages([{ ...job, source }], quick, testRun(t));

  const [failure = assert.fail()] = failuresIn(images);
  assert.deepEqual([failure.side, failure.object], ['source', app.descriptor.digest]);
  assert.partialDeepStrictEqual(errorFacts(failure.error), { code: 'BLOB_SIZE_MISMATCH' });
});

async function jobFor(t: TestContext, built: Built) {
  const upstream = new FakeRegistry('upstream.example');
  await fill(upstream, 'app', built, { tag: 'v1', run: testRun(t) });
  const target = new FakeRegistry('site.example').repository('app');
  const source = upstream.repository('app');
  return { job: { source, reference: 'v1', target, tags: ['v1'] }, target };
}

/** The same source, but one of its blobs comes from `open`. */
function sending(source: ImageSource, digest: Digest, open: () => ByteStream): ImageSource {
  return {
    ...source,
    open: async (blob, run, fromByte) =>
      blob.digest === digest ? open() : source.open(blob, run, fromByte),
  };
}

function failuresIn(images: readonly CopyOutcome[]): readonly CopyFailure[] {
  return images.flatMap((image) => (image.kind === 'failed' ? image.failures : []));
}
