/** The distribution client against the embedded registry, over real connections. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { bytesOf, collectBytes } from '../src/content/byte-streams.ts';
import { imageTargetContract } from '../src/content/image-target.contract.ts';
import { digestOf } from '../src/oci/digest.ts';
import { buildImage } from '../src/oci/image-builder.ts';
import { tarLayer } from '../src/oci/tar-layer.ts';
import { buildArtifact } from './support/build-artifact.ts';
import { fakeWorld } from './support/fake-world.ts';
import { answer, cutRequests, truncateBlobs } from './support/faults.ts';
import { openClient, passwordOf } from './support/open-client.ts';
import { serverCertificate } from './support/server-certificate.ts';
import { startRegistry } from './support/start-registry.ts';
import { testRun } from './support/test-run.ts';

imageTargetContract('a repository of the embedded registry', async (t) => {
  const registry = await startRegistry(t);
  const repository = openClient(t, registry.url).repository('team/app');
  return { target: repository, source: repository };
});

imageTargetContract('a repository with HTTPS, a login and uploads in chunks', async (t) => {
  const { ca, tls } = await serverCertificate(['localhost', '127.0.0.1']);
  const registry = await startRegistry(t, { tls, users: { ann: 'secret' } });
  const settings = fakeWorld().settings({ limits: { monolithicBytes: 0, chunkBytes: 1024 } });
  const credential = passwordOf('ann', 'secret');
  const client = openClient(t, registry.url, { trust: { ca }, credential, settings });
  const repository = client.repository('team/app');
  return { target: repository, source: repository };
});

const bytes = randomBytes(600 * 1024);
const blob = { digest: digestOf(bytes), size: bytes.length };

test('the embedded registry says what it is', async (t) => {
  const open = await startRegistry(t);
  const closed = await startRegistry(t, { users: { ann: 'secret' } });

  assert.deepEqual(await openClient(t, open.url).ping(testRun(t)), {
    kind: 'registry',
    auth: 'none',
  });
  assert.deepEqual(await openClient(t, closed.url).ping(testRun(t)), {
    kind: 'registry',
    auth: 'basic',
  });
});

test('a blob in chunks that break off arrives whole', async (t) => {
  const cut = cutRequests({ method: 'PATCH', afterBytes: 10_000, times: 2 });
  const registry = await startRegistry(t, { faults: [cut] });
  const settings = fakeWorld().settings({
    limits: { monolithicBytes: 0, chunkBytes: 256 * 1024 },
  });
  const repository = openClient(t, registry.url, { settings }).repository('app');

  await repository.put(blob, bytesOf(bytes), testRun(t));

  assert.equal(await repository.find(blob.digest, testRun(t)), blob.size);
});

test('a download that is cut again and again arrives whole', async (t) => {
  const cut = truncateBlobs({ afterBytes: 200_000, times: 3 });
  const registry = await startRegistry(t, { faults: [cut] });
  const repository = openClient(t, registry.url).repository('app');
  await repository.put(blob, bytesOf(bytes), testRun(t));

  const read = await collectBytes(await repository.open(blob, testRun(t)));

  assert.equal(digestOf(read), blob.digest);
  const moved = registry.log.filter(({ method }) => method === 'GET');
  assert.equal(moved.length, 4);
});

test('a blob is mounted from another repository of the same registry', async (t) => {
  const registry = await startRegistry(t);
  const client = openClient(t, registry.url);
  const [from, to] = [client.repository('from'), client.repository('team/to')];
  await from.put(blob, bytesOf(bytes), testRun(t));

  assert.equal(await to.mount(blob, from.label, testRun(t)), true);

  assert.equal(await to.find(blob.digest, testRun(t)), blob.size);
});

test('tags, catalogue and referrers are listed', async (t) => {
  const registry = await startRegistry(t);
  const client = openClient(t, registry.url);
  const repository = client.repository('team/app');
  const image = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });
  const artefact = buildArtifact({
    artifactType: 'application/vnd.example.signature',
    layers: [{ mediaType: 'text/plain', bytes: Buffer.from('signed') }],
    subject: image.descriptor,
  });
  for (const { descriptor, bytes: content } of [...image.blobs, ...artefact.blobs]) {
    await repository.put(descriptor, bytesOf(content), testRun(t));
  }
  await repository.putManifest(image, 'v1', testRun(t));
  await repository.putManifest(image, 'v2', testRun(t));
  await repository.putManifest(artefact, undefined, testRun(t));

  assert.deepEqual(await collect(repository.listTags(testRun(t))), ['v1', 'v2']);
  assert.deepEqual(await collect(client.catalogue(testRun(t))), ['team/app']);
  const referrers = await repository.referrers(image.descriptor.digest, testRun(t));
  assert.deepEqual(
    referrers.map(({ digest }) => digest),
    [artefact.descriptor.digest],
  );

  await repository.deleteTag('v1', testRun(t));
  assert.deepEqual(await collect(repository.listTags(testRun(t))), ['v2']);
});

test('a registry that is busy for a moment costs a wait, not the work', async (t) => {
  const busy = answer({ method: 'PUT', status: 429, headers: { 'retry-after': '2' }, times: 1 });
  const registry = await startRegistry(t, { faults: [busy] });
  const world = fakeWorld();
  const client = openClient(t, registry.url, { settings: world.settings() });

  await client.repository('app').put(blob, bytesOf(bytes), testRun(t));

  assert.ok(world.clock.monotonic() >= 2000);
});

test('a wrong password is told apart from a missing one', async (t) => {
  const registry = await startRegistry(t, { users: { ann: 'secret' } });
  const wrong = openClient(t, registry.url, { credential: passwordOf('ann', 'wrong') });
  const missing = openClient(t, registry.url);

  await assert.rejects(wrong.repository('app').find(blob.digest, testRun(t)), {
    code: 'REGISTRY_UNAUTHORIZED',
    message: /credentials of user ann/,
  });
  await assert.rejects(missing.repository('app').find(blob.digest, testRun(t)), {
    code: 'REGISTRY_UNAUTHORIZED',
    message: /without credentials/,
  });
});

async function collect(items: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const item of items) all.push(item);
  return all;
}
