/** The engine between two real registries over HTTP: what their access logs say. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { errorFacts } from '../../../../test/support/error-facts.ts';
import {
  answer,
  corruptBlobs,
  type Fault,
  truncateBlobs,
} from '../../../../test/support/faults.ts';
import { openClient } from '../../../../test/support/open-client.ts';
import { pushImage } from '../../../../test/support/push-image.ts';
import { startRegistry, type TestRegistry } from '../../../../test/support/start-registry.ts';
import { testRun } from '../../../../test/support/test-run.ts';
import { imageTargetContract } from '../../../content/image-target.contract.ts';
import { buildImage, buildIndex } from '../../../oci/image-builder.ts';
import { tarLayer } from '../../../oci/tar-layer.ts';
import { copyImages } from './copy-images.ts';

imageTargetContract('repository of a registry', async (t) => {
  const { url } = await startRegistry(t);
  const repository = openClient(t, url).repository('app');
  return { target: repository, source: repository };
});

const quick = { retry: { attempts: 2, firstDelayMs: 1, maxDelayMs: 1 }, random: () => 0 };
const layer = (text: string) => tarLayer([{ path: text, content: text.repeat(20_000) }]);
const base = layer('base');
const amd64 = buildImage({ layers: [base, layer('amd64')] });
const arm64 = buildImage({
  layers: [base, layer('arm64')],
  platform: { os: 'linux', architecture: 'arm64' },
});
const app = buildIndex([amd64, arm64]);

test('each blob is fetched once and sent once, and is mounted under the second name', async (t) => {
  const { jobs, upstream, site } = await jobsBetween(t, ['flat/app', 'keep/path/app']);

  const { totals } = await copyImages(jobs, { random: () => 0 }, testRun(t));

  assert.deepEqual([totals.failed, totals.copied.blobs, totals.mounted.blobs], [0, 5, 5]);
  const fetched = requests(upstream, 'GET', '/blobs/');
  assert.equal(fetched.length, 5);
  assert.equal(new Set(fetched).size, 5);
  const sentBytes = site.log.reduce((sum, entry) => sum + entry.bytesIn, 0);
  assert.ok(sentBytes <= totals.copied.bytes + 20_000);
  const pulled = await fetch(`${site.url}/v2/keep/path/app/manifests/v1`);
  assert.equal(pulled.headers.get('docker-content-digest'), app.descriptor.digest);
});

test('a second run asks for manifests only', async (t) => {
  const { jobs, upstream, site } = await jobsBetween(t, ['flat/app', 'keep/path/app']);
  await copyImages(jobs, { random: () => 0 }, testRun(t));
  upstream.log.length = 0;
  site.log.length = 0;

  const { totals } = await copyImages(jobs, { random: () => 0 }, testRun(t));

  assert.equal(totals.done, 2);
  const methods = new Set(site.log.map(({ method }) => method));
  assert.deepEqual([...methods], ['HEAD']);
  assert.deepEqual(
    [...requests(upstream, 'GET', '/blobs/'), ...requests(site, 'HEAD', '/blobs/')],
    [],
  );
});

test('the words by which a registry refuses a sparse index are understood', async (t) => {
  const refusal = JSON.stringify({
    errors: [{ code: 'MANIFEST_BLOB_UNKNOWN', message: 'unknown' }],
  });
  const { jobs } = await jobsBetween(t, ['app'], {
    site: [answer({ method: 'PUT', path: /manifests\/v1/, status: 404, body: refusal })],
  });
  const manifests = new Set([amd64.descriptor.digest]);
  const sparse = jobs.map((job) => ({ ...job, manifests }));

  const [image] = (await copyImages(sparse, { random: () => 0 }, testRun(t))).images;

  assert.equal(image?.kind, 'failed');
  assert.partialDeepStrictEqual(
    image.failures.map(({ error }) => errorFacts(error)),
    [{ code: 'INDEX_SPARSE_REFUSED', data: { label: 'site.example/app', missing: 1 } }],
  );
});

test('a blob that is damaged at the source never counts as present at the target', async (t) => {
  const { jobs, site } = await jobsBetween(t, ['app'], { upstream: [corruptBlobs()] });

  const [image] = (await copyImages(jobs, quick, testRun(t))).images;

  assert.equal(image?.kind, 'failed');
  // Found at the first of both images for the shared layer, so once for each image.
  for (const { side, label, error } of image.failures) {
    assert.deepEqual([side, label], ['source', 'upstream.example/app']);
    assert.partialDeepStrictEqual(errorFacts(error), { code: 'BLOB_DIGEST_MISMATCH' });
  }
  for await (const blob of site.store.list(testRun(t))) assert.fail(`${blob.digest} is there`);
});

test('a line that is cut at the source is continued, and the image arrives whole', async (t) => {
  const upstream = [truncateBlobs({ afterBytes: 1000, times: 3 })];
  const { jobs, site } = await jobsBetween(t, ['app'], { upstream });

  const { totals } = await copyImages(jobs, quick, testRun(t));

  assert.equal(totals.done, 1);
  const pulled = await fetch(`${site.url}/v2/app/manifests/v1`);
  assert.equal(pulled.headers.get('docker-content-digest'), app.descriptor.digest);
});

interface Faults {
  readonly upstream?: readonly Fault[];
  readonly site?: readonly Fault[];
}

async function jobsBetween(t: TestContext, names: readonly string[], faults: Faults = {}) {
  const upstream = await startRegistry(t, { faults: faults.upstream ?? [] });
  const site = await startRegistry(t, { faults: faults.site ?? [] });
  await pushImage(upstream.url, 'app', 'v1', app);
  const from = openClient(t, upstream.url, { name: 'upstream.example' });
  const to = openClient(t, site.url, { name: 'site.example' });
  const source = from.repository('app');
  const { digest } = app.descriptor;
  const jobs = names.map((name) => ({
    source,
    reference: digest,
    target: to.repository(name),
    tags: ['v1'],
  }));
  return { jobs, upstream, site };
}

function requests(registry: TestRegistry, method: string, part: string): readonly string[] {
  return registry.log
    .filter((entry) => entry.method === method && entry.url.includes(part))
    .map((entry) => entry.url);
}
