import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { blobOf, manifestOf } from '../../../../test/support/build-manifest.ts';
import { type Built, FakeRegistry, fill } from '../../../../test/support/fake-registry.ts';
import { testRun } from '../../../../test/support/test-run.ts';
import type { ByteStream, ImageSource, ImageTarget } from '../../../content/ports.ts';
import type { Digest } from '../../../oci/digest.ts';
import { copyImages } from './copy-images.ts';
import type { CopyJob } from './copy-job.ts';

/** Which blobs an image has, where it goes and under which tag; small numbers so that much is shared. */
const plannedImage = fc.record({
  blobs: fc.uniqueArray(fc.nat(6), { maxLength: 4 }),
  repository: fc.constantFrom('a', 'b', 'c'),
});

test('whatever is copied, each blob is fetched once, and copying again moves nothing', async (t) => {
  const limits = fc.record({
    parallelImages: fc.integer({ min: 1, max: 5 }),
    parallelBlobs: fc.integer({ min: 1, max: 5 }),
  });
  const holds = fc.asyncProperty(
    fc.array(plannedImage, { maxLength: 8 }),
    limits,
    async (plan, parallel) => {
      const options = { ...parallel, random: () => 0 };
      const upstream = new FakeRegistry('upstream.example');
      const site = new FakeRegistry('site.example');
      const jobs: CopyJob[] = [];
      for (const [n, { blobs, repository }] of plan.entries()) {
        await fill(upstream, `image${n}`, imageOf(blobs), { tag: 'v1', run: testRun(t) });
        const source = upstream.repository(`image${n}`);
        const target = site.repository(repository);
        jobs.push({ source, reference: 'v1', target, tags: [`v${n}`] });
      }

      const first = await copyImages(jobs, options, testRun(t));
      const opened = upstream.objects('open');
      const again = await copyImages(jobs, options, testRun(t));

      assert.equal(first.totals.failed, 0);
      assert.equal(new Set(opened).size, opened.length);
      assert.equal(new Set(site.objects('put')).size, site.objects('put').length);
      assert.equal(again.totals.copied.blobs + again.totals.mounted.blobs, 0);
      assert.equal(again.totals.manifestsPut, 0);
      assert.equal(upstream.objects('open').length, opened.length);
    },
  );

  await fc.assert(holds, { numRuns: 60 });
});

test('never more blobs are under way than allowed, over all images', async (t) => {
  const upstream = new FakeRegistry('upstream.example');
  const site = new FakeRegistry('site.example');
  let underWay = 0;
  let most = 0;
  const counting = (target: ImageTarget): ImageTarget => ({
    ...target,
    put: async (blob, bytes, run) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await target.put(blob, slowly(bytes), run);
      underWay -= 1;
    },
  });
  const jobs: CopyJob[] = [];
  for (let n = 0; n < 10; n += 1) {
    await fill(upstream, `image${n}`, imageOf([n * 3, n * 3 + 1, n * 3 + 2]), {
      tag: 'v1',
      run: testRun(t),
    });
    const source = upstream.repository(`image${n}`);
    jobs.push({
      source,
      reference: 'v1',
      target: counting(site.repository(`image${n}`)),
      tags: ['v1'],
    });
  }

  await copyImages(jobs, { random: () => 0, parallelImages: 5, parallelBlobs: 3 }, testRun(t));

  assert.equal(most, 3);
});

test('ten thousand images that are there already take seconds', async (t) => {
  const target = new FakeRegistry('site.example').repository('app');
  const image = imageOf([1, 2]);
  const digests = new Map<string, Digest>();
  const source: ImageSource = {
    label: 'many',
    open: () => Promise.reject(new Error('no blob may be asked for')),
    fetchManifest: async (reference) => {
      const manifest = manifestOf(
        blobOf(reference).descriptor,
        image.blobs.map((one) => one.descriptor),
      );
      digests.set(reference, manifest.descriptor.digest);
      return manifest;
    },
  };
  const everything: ImageTarget = { ...target, findManifest: async (tag) => digests.get(tag) };
  const jobs = Array.from({ length: 10_000 }, (_, n) => ({
    source,
    reference: `v${n}`,
    target: everything,
    tags: [`v${n}`],
  }));

  // Time on the processor, not on the clock: other work on the machine must not fail the test.
  const before = process.cpuUsage();
  const { totals } = await copyImages(jobs, { random: () => 0 }, testRun(t));

  assert.equal(totals.done, 10_000);
  assert.equal(totals.manifestsPut, 0);
  const { user, system } = process.cpuUsage(before);
  assert.ok((user + system) / 1e6 < 15);
});

function imageOf(numbers: readonly number[]): Built & { readonly blobs: readonly Built[] } {
  const config = blobOf('{"os":"linux"}');
  const layers = numbers.map((n) => blobOf(`layer ${n} `.repeat(50)));
  const manifest = manifestOf(
    config.descriptor,
    layers.map((one) => one.descriptor),
  );
  return { ...manifest, blobs: [config, ...layers] };
}

/** Lets everything else that can start, start. */
async function* slowly(bytes: ByteStream): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of bytes) {
    await new Promise((resolve) => setImmediate(resolve));
    yield chunk;
  }
}
