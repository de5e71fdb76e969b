import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { indexOf } from '../../../../test/support/build-manifest.ts';
import { errorFacts } from '../../../../test/support/error-facts.ts';
import { type Built, FakeRegistry, fill } from '../../../../test/support/fake-registry.ts';
import { testRun } from '../../../../test/support/test-run.ts';
import { buildImage, buildIndex } from '../../../oci/image-builder.ts';
import { tarLayer } from '../../../oci/tar-layer.ts';
import { copyImages } from './copy-images.ts';
import type { CopyFailure } from './copy-job.ts';

const imageFor = (architecture: string) =>
  buildImage({
    layers: [tarLayer([{ path: architecture, content: architecture }])],
    platform: { os: 'linux', architecture },
  });
const [amd64, arm64, riscv64] = [imageFor('amd64'), imageFor('arm64'), imageFor('riscv64')];
const app = buildIndex([amd64, arm64, riscv64]);
const wanted = new Set([amd64.descriptor.digest, arm64.descriptor.digest]);

test('a subset of platforms keeps the bytes of the index and leaves the rest away (P1)', async (t) => {
  const { job, site, target } = await jobFor(t, app, { takesSparse: true });

  const { totals, images } = await copyImages([job], { random: () => 0 }, testRun(t));

  assert.equal(totals.done, 1);
  assert.equal(totals.copied.blobs, 4);
  assert.deepEqual((await target.fetchManifest('v1', testRun(t))).bytes, app.bytes);
  assert.equal(await target.findManifest(riscv64.descriptor.digest, testRun(t)), undefined);
  assert.equal(site.count('put', riscv64.blobs[1]?.descriptor.digest), 0);
  assert.deepEqual(images[0]?.kind === 'done' && images[0].rewrites, []);
});

test('a later run with more platforms adds only them, though the index is there', async (t) => {
  const { job } = await jobFor(t, app, { takesSparse: true });
  await copyImages([job], { random: () => 0 }, testRun(t));

  const all = { source: job.source, reference: 'v1', target: job.target, tags: ['v1'] };
  const { totals } = await copyImages([all], { random: () => 0 }, testRun(t));

  assert.deepEqual([totals.copied.blobs, totals.manifestsPut], [2, 1]);
});

test('a registry that refuses is named, with the two ways out', async (t) => {
  const { job } = await jobFor(t, app, {});

  const failures = await failuresOf(copyImages([job], { random: () => 0 }, testRun(t)));

  assert.equal(failures.length, 1);
  const [{ side, label, error } = assert.fail()] = failures;
  assert.deepEqual([side, label], ['target', 'site.example/app']);
  assert.partialDeepStrictEqual(errorFacts(error), {
    code: 'INDEX_SPARSE_REFUSED',
    data: { digest: app.descriptor.digest, missing: 1 },
  });
  assert.match(String(Reflect.get(Object(error), 'fix')), /--rewrite-indexes.* list all platforms/);
});

test('a rewritten index holds what is there, in order, and the report has old and new', async (t) => {
  const { job, target } = await jobFor(t, app, {});

  const { images } = await copyImages(
    [job],
    { random: () => 0, onSparseRefused: 'rewrite' },
    testRun(t),
  );

  const expected = buildIndex([amd64, arm64]);
  const [image] = images;
  assert.equal(image?.kind, 'done');
  assert.deepEqual(image.rewrites, [
    { from: app.descriptor.digest, to: expected.descriptor.digest },
  ]);
  assert.equal(image.root.digest, expected.descriptor.digest);
  const stored = await target.fetchManifest('v1', testRun(t));
  assert.deepEqual(
    JSON.parse(Buffer.from(stored.bytes).toString()),
    JSON.parse(expected.bytes.toString()),
  );
});

test('after a rewriting a second run puts nothing, and reports the pair again', async (t) => {
  const { job, site } = await jobFor(t, app, {});
  const options = { random: () => 0, onSparseRefused: 'rewrite' } as const;
  const first = await copyImages([job], options, testRun(t));
  const putsBefore = site.count('put manifest');

  const second = await copyImages([job], options, testRun(t));

  assert.equal(site.count('put manifest'), putsBefore);
  const rewritesOf = ({ images: [image] }: typeof first) =>
    image?.kind === 'done' && image.rewrites;
  assert.deepEqual(rewritesOf(second), rewritesOf(first));
  assert.equal(second.images[0]?.kind === 'done' && second.images[0].isChanged, false);
});

test('a registry that refused one sparse index is not tried with the next', async (t) => {
  const upstream = new FakeRegistry('upstream.example');
  const site = new FakeRegistry('site.example');
  const jobs = [];
  for (const name of ['a', 'b', 'c']) {
    await fill(upstream, name, app, { tag: 'v1', run: testRun(t) });
    const [source, target] = [upstream.repository(name), site.repository(name)];
    jobs.push({ source, reference: 'v1', target, tags: ['v1'], manifests: wanted });
  }

  const options = { random: () => 0, onSparseRefused: 'rewrite', parallelImages: 1 } as const;
  await copyImages(jobs, options, testRun(t));

  // One refused, three rewritten.
  assert.equal(site.count('put manifest', 'v1'), 4);
});

test('an index inside an index is searched, and rewriting reaches the outer one', async (t) => {
  const inner = buildIndex([arm64, riscv64]);
  const outer = indexOf([amd64.descriptor, inner.descriptor]);
  const { job, target } = await jobFor(t, { ...outer, images: [amd64, inner] }, {});
  const manifests = new Set([...wanted, inner.descriptor.digest]);

  const { images } = await copyImages(
    [{ ...job, manifests }],
    { random: () => 0, onSparseRefused: 'rewrite' },
    testRun(t),
  );

  const [image] = images;
  assert.equal(image?.kind, 'done');
  assert.deepEqual(
    image.rewrites.map(({ from }) => from),
    [inner.descriptor.digest, outer.descriptor.digest],
  );
  const stored = await target.fetchManifest('v1', testRun(t));
  const innerNow = image.rewrites[0]?.to;
  assert.ok(Buffer.from(stored.bytes).toString().includes(String(innerNow)));
  assert.equal(
    await target.findManifest(arm64.descriptor.digest, testRun(t)),
    arm64.descriptor.digest,
  );
});

test('the manifests that a Lock names are copied, also those in a nested index, and no others', async (t) => {
  const inner = buildIndex([arm64, riscv64]);
  const outer = indexOf([amd64.descriptor, inner.descriptor]);
  const built = { ...outer, images: [amd64, inner] };
  const { job, target } = await jobFor(t, built, { takesSparse: true });

  const manifests = new Set([inner.descriptor.digest, arm64.descriptor.digest]);
  const { totals } = await copyImages([{ ...job, manifests }], { random: () => 0 }, testRun(t));

  assert.deepEqual([totals.done, totals.copied.blobs, totals.manifestsPut], [1, 2, 3]);
  for (const absent of [amd64, riscv64]) {
    assert.equal(await target.findManifest(absent.descriptor.digest, testRun(t)), undefined);
  }
});

test('a manifest that the index does not list is an error before anything is copied', async (t) => {
  const { job, site } = await jobFor(t, buildIndex([amd64]), { takesSparse: true });

  const manifests = new Set([amd64.descriptor.digest, arm64.descriptor.digest]);
  const failures = await failuresOf(
    copyImages([{ ...job, manifests }], { random: () => 0 }, testRun(t)),
  );

  assert.partialDeepStrictEqual(errorFacts(failures[0]?.error), {
    code: 'INDEX_MANIFEST_MISSING',
    data: { missing: [arm64.descriptor.digest] },
  });
  assert.equal(site.count('put'), 0);
});

async function jobFor(t: TestContext, built: Built, options: { takesSparse?: boolean }) {
  const upstream = new FakeRegistry('upstream.example');
  await fill(upstream, 'app', built, { tag: 'v1', run: testRun(t) });
  const site = new FakeRegistry('site.example', options);
  const [source, target] = [upstream.repository('app'), site.repository('app')];
  return {
    job: { source, reference: 'v1', target, tags: ['v1'], manifests: wanted },
    site,
    target,
  };
}

async function failuresOf(copying: ReturnType<typeof copyImages>): Promise<readonly CopyFailure[]> {
  const { images } = await copying;
  return images.flatMap((image) => (image.kind === 'failed' ? image.failures : []));
}
