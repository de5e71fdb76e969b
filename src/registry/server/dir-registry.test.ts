import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { buildArtifact } from '../../../test/support/build-artifact.ts';
import { pushImage } from '../../../test/support/push-image.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { collectGarbage } from '../../content/garbage.ts';
import { digestOf } from '../../oci/digest.ts';
import { buildImage, buildIndex } from '../../oci/image-builder.ts';
import { tarLayer } from '../../oci/tar-layer.ts';
import { systemClock } from '../../shared/ports.ts';
import { openDirRegistry } from './dir-registry.ts';
import { garbageRoots } from './garbage-roots.ts';

const imageOf = (text: string) =>
  buildImage({ layers: [tarLayer([{ path: text, content: text }])] });
const image = imageOf('a');

test('what was pushed is there after a restart', async (t) => {
  const directory = await tempDir(t);
  const first = await startRegistry(t, { directory });
  const signature = buildArtifact({
    artifactType: 'text/x',
    layers: [],
    subject: image.descriptor,
  });
  await pushImage(first.url, 'team/app', 'v1', image);
  await pushImage(first.url, 'team/app', signature.descriptor.digest, signature);
  await first.stop();

  const { url } = await startRegistry(t, { directory });

  const manifest = await sendRequest(url, { path: '/v2/team/app/manifests/v1' });
  assert.deepEqual(manifest.bytes, Buffer.from(image.bytes));
  for (const { descriptor, bytes } of image.blobs) {
    const blob = await sendRequest(url, { path: `/v2/team/app/blobs/${descriptor.digest}` });
    assert.deepEqual(blob.bytes, Buffer.from(bytes));
  }
  const referrers = `/v2/team/app/referrers/${image.descriptor.digest}`;
  assert.match((await sendRequest(url, { path: referrers })).text, /"artifactType":"text\/x"/);
  const catalogue = await sendRequest(url, { path: '/v2/_catalog' });
  assert.deepEqual(catalogue.json(), { repositories: ['team/app'] });
});

test('a second process is kept out while the first one serves', async (t) => {
  const directory = await tempDir(t);
  await startRegistry(t, { directory });

  await assert.rejects(openDirRegistry(directory), { code: 'STORE_LOCKED' });
});

test('what a killed process was receiving is removed, and its upload is unknown', async (t) => {
  const directory = await tempDir(t);
  const first = await startRegistry(t, { directory });
  await pushImage(first.url, 'app', 'v1', image);
  await first.stop();
  // As a kill leaves it: half a blob under its temporary name, a tag that was not renamed yet.
  await mkdir(join(directory, '.slipway-ingest'));
  await writeFile(join(directory, '.slipway-ingest', '5f0c'), 'half a blo');
  await writeFile(join(directory, 'repositories/app/_tags/.v2.5f0c.tmp'), 'sha256:');

  const registry = await startRegistry(t, { directory });

  assert.equal((await readdir(directory)).includes('.slipway-ingest'), false);
  const tags = await sendRequest(registry.url, { path: '/v2/app/tags/list' });
  assert.deepEqual(tags.json(), { name: 'app', tags: ['v1'] });
  const upload = await sendRequest(registry.url, { path: '/v2/app/blobs/uploads/5f0c' });
  assert.equal(upload.status, 404);
  await pushImage(registry.url, 'app', 'v2', imageOf('b'));
});

test('bytes are stored once, however many repositories hold them', async (t) => {
  const directory = await tempDir(t);
  const registry = await startRegistry(t, { directory });

  for (const name of ['a', 'b/c', 'd']) await pushImage(registry.url, name, 'v1', image);

  const stored = await readdir(join(directory, 'blobs/sha256'));
  const wanted = [image, ...image.blobs].map(({ descriptor }) => descriptor.digest.slice(7));
  assert.deepEqual(stored.sort(), wanted.sort());
});

test('a stop gives up open uploads and leaves no temporary files', async (t) => {
  const directory = await tempDir(t);
  const registry = await startRegistry(t, { directory });
  const path = '/v2/app/blobs/uploads/';
  const { headers } = await sendRequest(registry.url, { method: 'POST', path });
  const at = String(headers.location);
  await sendRequest(registry.url, { method: 'PATCH', path: at, body: 'half a blob' });

  await registry.stop();

  assert.deepEqual((await readdir(directory)).sort(), ['oci-layout']);
});

test('garbage collection keeps all that manifests need, tagged or not, and removes the rest', async (t) => {
  const registry = await startRegistry(t, { directory: await tempDir(t) });
  const [kept, untagged, gone] = [imageOf('kept'), imageOf('untagged'), imageOf('gone')];
  const index = buildIndex([kept]);
  await pushImage(registry.url, 'app', 'v1', index);
  await pushImage(registry.url, 'app', untagged.descriptor.digest, untagged);
  await pushImage(registry.url, 'other', 'v1', gone);
  const path = `/v2/other/manifests/${gone.descriptor.digest}`;
  await sendRequest(registry.url, { method: 'DELETE', path });

  const roots = await garbageRoots(registry.repositories);
  await collectGarbage(registry.store, { roots, clock: systemClock, graceMs: 0 }, testRun(t));

  const left = new Set<string>();
  for await (const { digest } of registry.store.list(testRun(t))) left.add(digest);
  const needed = [index, kept, ...kept.blobs, untagged, ...untagged.blobs];
  assert.deepEqual(
    [...left].sort(),
    [...new Set(needed.map((one) => one.descriptor.digest))].sort(),
  );
  const layer = gone.blobs[1]?.descriptor.digest ?? digestOf('');
  const blob = await sendRequest(registry.url, { path: `/v2/other/blobs/${layer}` });
  assert.equal(blob.status, 404);
});
