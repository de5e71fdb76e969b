/** One home for each blob: what one repository of the target got is not sent again for another. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { FakeRegistry, fill } from '../../../../test/support/fake-registry.ts';
import { testRun } from '../../../../test/support/test-run.ts';
import { buildImage } from '../../../oci/image-builder.ts';
import { tarLayer } from '../../../oci/tar-layer.ts';
import { copyImages } from './copy-images.ts';

const layer = (text: string) => tarLayer([{ path: text, content: text }]);
const base = layer('base');
const first = buildImage({ layers: [base, layer('first')] });
const second = buildImage({ layers: [base, layer('second')] });
const shared = first.blobs[1]?.descriptor.digest;

async function upstream(t: TestContext) {
  const registry = new FakeRegistry('upstream.example');
  await fill(registry, 'first', first, { tag: 'v1', run: testRun(t) });
  await fill(registry, 'second', second, { tag: 'v1', run: testRun(t) });
  return registry;
}

function jobsTo(site: FakeRegistry, source: FakeRegistry, names: readonly string[]) {
  const homeOf = (digest: string) => (digest === shared ? site.repository('first') : undefined);
  return names.map((name) => ({
    source: source.repository(name),
    reference: 'v1',
    target: site.repository(name),
    tags: ['v1'],
    homeOf,
  }));
}

test('a layer of an image that is complete is mounted for the next one, in a later run too', async (t) => {
  const [source, site] = [await upstream(t), new FakeRegistry('site.example')];
  await copyImages(jobsTo(site, source, ['first']), { random: () => 0 }, testRun(t));

  await copyImages(jobsTo(site, source, ['first', 'second']), { random: () => 0 }, testRun(t));

  assert.equal(site.count('put', shared), 1);
  assert.equal(site.count('mount', shared), 1);
});

test('whoever needs a blob first sends it home, where the next run finds it', async (t) => {
  const [source, site] = [await upstream(t), new FakeRegistry('site.example')];
  await copyImages(jobsTo(site, source, ['second']), { random: () => 0 }, testRun(t));

  const { totals } = await copyImages(
    jobsTo(site, source, ['first', 'second']),
    { random: () => 0 },
    testRun(t),
  );

  assert.equal(site.count('put', shared), 1);
  assert.equal(totals.failed, 0);
});

test('an image does not fail because the home of its layer does', async (t) => {
  const [source, site] = [await upstream(t), new FakeRegistry('site.example')];
  const [job] = jobsTo(site, source, ['second']);
  assert.ok(job);
  const home = site.repository('first');
  const put = () => Promise.reject(new Error('this project is closed'));
  const homeOf = () => ({ ...withMethods(home), put });

  const { totals } = await copyImages([{ ...job, homeOf }], { random: () => 0 }, testRun(t));

  assert.equal(totals.failed, 0);
});

/** Methods stand on the class, which a spread does not copy. */
function withMethods(home: ReturnType<FakeRegistry['repository']>) {
  return {
    label: home.label,
    find: home.find.bind(home),
    findManifest: home.findManifest.bind(home),
    putManifest: home.putManifest.bind(home),
  };
}
