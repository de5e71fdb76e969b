import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { FakeRegistry, fill } from '../../../../test/support/fake-registry.ts';
import { testRun } from '../../../../test/support/test-run.ts';
import { imageTargetContract } from '../../../content/image-target.contract.ts';
import { imageLayoutSource, imageLayoutTarget } from '../../../content/layout-images.ts';
import { MemoryStore } from '../../../content/memory-store.ts';
import { buildImage, buildIndex } from '../../../oci/image-builder.ts';
import { tarLayer } from '../../../oci/tar-layer.ts';
import type { ProgressEvent } from '../../../shared/run.ts';
import { copyImages } from './copy-images.ts';

imageTargetContract('fake registry', async () => {
  const repository = new FakeRegistry('fake.example').repository('app');
  return { target: repository, source: repository };
});

const layer = (text: string) => tarLayer([{ path: text, content: text }]);
const base = layer('base');
const amd64 = buildImage({ layers: [base, layer('amd64')] });
const arm64 = buildImage({
  layers: [base, layer('arm64')],
  platform: { os: 'linux', architecture: 'arm64' },
});
const app = buildIndex([amd64, arm64]);

async function upstreamWith(
  t: TestContext,
  images: Readonly<Record<string, typeof app | typeof amd64>>,
) {
  const registry = new FakeRegistry('upstream.example');
  for (const [path, built] of Object.entries(images)) {
    await fill(registry, path, built, { tag: 'v1', run: testRun(t) });
  }
  return registry;
}

test('an index arrives byte for byte with all its images, under every tag', async (t) => {
  const upstream = await upstreamWith(t, { app });
  const site = new FakeRegistry('site.example');
  const target = site.repository('platform/app');

  const job = {
    source: upstream.repository('app'),
    reference: 'v1',
    target,
    tags: ['v1', 'latest'],
  };
  const { images, totals } = await copyImages([job], { random: () => 0 }, testRun(t));

  for (const tag of ['v1', 'latest']) {
    assert.deepEqual((await target.fetchManifest(tag, testRun(t))).bytes, app.bytes);
  }
  const [image] = images;
  assert.equal(image?.kind, 'done');
  assert.deepEqual(image.root, app.descriptor);
  assert.deepEqual(image.tagChanges, [
    { tag: 'v1', now: app.descriptor.digest },
    { tag: 'latest', now: app.descriptor.digest },
  ]);
  // Two configs, two layers of their own, one layer that both share.
  assert.deepEqual([totals.copied.blobs, totals.present.blobs, totals.mounted.blobs], [5, 0, 0]);
});

test('every manifest is put after all that it names, and the tag last of all', async (t) => {
  const upstream = await upstreamWith(t, { app });
  const site = new FakeRegistry('site.example');

  const job = {
    source: upstream.repository('app'),
    reference: 'v1',
    target: site.repository('app'),
    tags: ['v1'],
  };
  await copyImages([job], { random: () => 0 }, testRun(t));

  const order = site.calls
    .filter(({ did }) => did === 'put' || did === 'put manifest')
    .map(({ object }) => object);
  const at = (object: string) => order.indexOf(object);
  for (const image of [amd64, arm64]) {
    for (const { descriptor } of image.blobs)
      assert.ok(at(descriptor.digest) < at(image.descriptor.digest));
  }
  assert.equal(order.at(-1), 'v1');
});

test('a blob that many images share is fetched once, sent once, and mounted elsewhere', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const images = Object.fromEntries(
    names.map((name) => [name, buildImage({ layers: [base, layer(name)] })]),
  );
  const upstream = await upstreamWith(t, images);
  const site = new FakeRegistry('site.example');

  const jobs = names.map((name) => ({
    source: upstream.repository(name),
    reference: 'v1',
    target: site.repository(`flat/${name}`),
    tags: ['v1'],
  }));
  const { totals } = await copyImages(jobs, { random: () => 0 }, testRun(t));

  const [, shared] = images['a']?.blobs ?? [];
  assert.equal(upstream.count('open', shared?.descriptor.digest), 1);
  assert.equal(site.count('put', shared?.descriptor.digest), 1);
  assert.equal(site.count('mount', shared?.descriptor.digest), 4);
  assert.equal(totals.mounted.blobs, 4);
  assert.equal(totals.failed, 0);
});

test('nothing is asked about twice in one repository', async (t) => {
  const images = [1, 2, 3, 4].map((n) => buildImage({ layers: [base, layer(`v${n}`)] }));
  const upstream = new FakeRegistry('upstream.example');
  for (const [n, image] of images.entries()) {
    await fill(upstream, 'app', image, { tag: `v${n}`, run: testRun(t) });
  }
  const site = new FakeRegistry('site.example');

  const jobs = images.map((_, n) => ({
    source: upstream.repository('app'),
    reference: `v${n}`,
    target: site.repository('app'),
    tags: [`v${n}`],
  }));
  await copyImages(jobs, { random: () => 0 }, testRun(t));

  const found = site.objects('find');
  assert.equal(new Set(found).size, found.length);
});

test('a registry that cannot mount gets the bytes, and is soon asked no more', async (t) => {
  const names = Array.from({ length: 10 }, (_, n) => `app${n}`);
  const upstream = await upstreamWith(t, Object.fromEntries(names.map((name) => [name, amd64])));
  const site = new FakeRegistry('site.example', { cannotMount: true });

  const jobs = names.map((name) => ({
    source: upstream.repository(name),
    reference: 'v1',
    target: site.repository(name),
    tags: ['v1'],
  }));
  const { totals } = await copyImages(jobs, { random: () => 0, parallelImages: 1 }, testRun(t));

  assert.equal(totals.failed, 0);
  assert.equal(totals.copied.blobs, 30);
  assert.equal(site.count('mount'), 3);
});

test('a second run moves nothing and asks for no blob', async (t) => {
  const upstream = await upstreamWith(t, { app, single: amd64 });
  const site = new FakeRegistry('site.example');
  const jobs = ['app', 'single'].map((name) => ({
    source: upstream.repository(name),
    reference: 'v1',
    target: site.repository(name),
    tags: ['v1'],
  }));
  await copyImages(jobs, { random: () => 0 }, testRun(t));
  const callsBefore = site.calls.length;
  const opensBefore = upstream.count('open');

  const { images, totals } = await copyImages(jobs, { random: () => 0 }, testRun(t));

  const kinds = new Set(site.calls.slice(callsBefore).map(({ did }) => did));
  assert.deepEqual([...kinds], ['find manifest']);
  assert.equal(upstream.count('open'), opensBefore);
  assert.equal(totals.copied.bytes, 0);
  assert.ok(
    images.every(
      (image) => image.kind === 'done' && !image.isChanged && image.tagChanges.length === 0,
    ),
  );
});

test('a tag that names another image is moved and reported with old and new (PEER-13)', async (t) => {
  const upstream = await upstreamWith(t, { app: amd64 });
  const site = new FakeRegistry('site.example');
  await fill(site, 'app', arm64, { tag: 'v1', run: testRun(t) });

  const job = {
    source: upstream.repository('app'),
    reference: 'v1',
    target: site.repository('app'),
    tags: ['v1'],
  };
  const { images } = await copyImages([job], { random: () => 0 }, testRun(t));

  const [image] = images;
  assert.equal(image?.kind, 'done');
  assert.deepEqual(image.tagChanges, [
    { tag: 'v1', before: arm64.descriptor.digest, now: amd64.descriptor.digest },
  ]);
});

test('an image without a tag can be had by digest afterwards (PEER-14)', async (t) => {
  const upstream = await upstreamWith(t, { app: amd64 });
  const target = new FakeRegistry('site.example').repository('app');
  const { digest } = amd64.descriptor;

  const job = { source: upstream.repository('app'), reference: digest, target, tags: [] };
  await copyImages([job], { random: () => 0 }, testRun(t));

  assert.equal(await target.findManifest(digest, testRun(t)), digest);
});

test('a blob that was lost behind its manifest is sent again when blobs are rechecked', async (t) => {
  const upstream = await upstreamWith(t, { app: amd64 });
  const store = new MemoryStore();
  const repository = { label: 'layout', store, index: new Map() };
  const target = imageLayoutTarget(repository);
  const job = { source: upstream.repository('app'), reference: 'v1', target, tags: ['v1'] };
  await copyImages([job], { random: () => 0 }, testRun(t));
  const [, lost] = amd64.blobs;
  assert.ok(lost);
  await store.remove(lost.descriptor.digest, testRun(t));

  const trusting = await copyImages([job], { random: () => 0 }, testRun(t));
  const checking = await copyImages([job], { random: () => 0, recheckBlobs: true }, testRun(t));

  assert.equal(trusting.totals.copied.blobs, 0);
  assert.deepEqual([checking.totals.copied.blobs, checking.totals.present.blobs], [1, 2]);
  assert.equal(await store.find(lost.descriptor.digest, testRun(t)), lost.bytes.length);
});

test('from registry to layout and on to another registry nothing changes (P1)', async (t) => {
  const upstream = await upstreamWith(t, { app });
  const layout = { label: 'bundle', store: new MemoryStore(), index: new Map() };
  const site = new FakeRegistry('site.example').repository('app');

  const load = {
    source: upstream.repository('app'),
    reference: 'v1',
    target: imageLayoutTarget(layout),
    tags: ['app:v1'],
  };
  await copyImages([load], { random: () => 0 }, testRun(t));
  const push = {
    source: imageLayoutSource(layout),
    reference: 'app:v1',
    target: site,
    tags: ['v1'],
  };
  await copyImages([push], { random: () => 0 }, testRun(t));

  assert.deepEqual((await site.fetchManifest('v1', testRun(t))).bytes, app.bytes);
});

test('progress announces every byte and item, and counts them all as done', async (t) => {
  const upstream = await upstreamWith(t, { app, single: amd64 });
  const site = new FakeRegistry('site.example');
  const events: ProgressEvent[] = [];

  const jobs = ['app', 'single'].map((name) => ({
    source: upstream.repository(name),
    reference: 'v1',
    target: site.repository(name),
    tags: ['v1'],
  }));
  const { totals } = await copyImages(jobs, { random: () => 0 }, testRun(t, events));

  const sum = (kind: 'expect' | 'advance', unit: 'bytes' | 'items') =>
    events.reduce((total, event) => total + (event.kind === kind ? event[unit] : 0), 0);
  assert.equal(sum('expect', 'items'), 2);
  assert.equal(sum('advance', 'items'), 2);
  assert.equal(sum('expect', 'bytes'), totals.copied.bytes + totals.mounted.bytes);
  assert.equal(sum('advance', 'bytes'), sum('expect', 'bytes'));
  const steps = events.flatMap((event) => (event.kind === 'step-started' ? event.path : []));
  assert.deepEqual(steps.sort(), ['copy site.example/app:v1', 'copy site.example/single:v1']);
});
