import assert from 'node:assert/strict';
import test from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import { buildImage } from '../oci/image-builder.ts';
import { openDirStore } from './dir-store.ts';
import { imageTargetContract } from './image-target.contract.ts';
import { imageLayoutSource, imageLayoutTarget } from './layout-images.ts';
import { MemoryStore } from './memory-store.ts';

imageTargetContract('layout in memory', async () => {
  const repository = { label: 'memory', store: new MemoryStore(), index: new Map() };
  return { target: imageLayoutTarget(repository), source: imageLayoutSource(repository) };
});

imageTargetContract('layout on disk', async (t) => {
  const store = await openDirStore(await tempDir(t), { write: true });
  t.after(() => store.close());
  const repository = { label: store.root, store, index: new Map() };
  return { target: imageLayoutTarget(repository), source: imageLayoutSource(repository) };
});

test('repositories of one layout keep their tags apart and share their blobs', async (t) => {
  const run = testRun(t);
  const shared = { store: new MemoryStore(), index: new Map() };
  const pause = { ...shared, label: 'pause', nameOf: (tag: string) => `k8s/pause:${tag}` };
  const etcd = { ...shared, label: 'etcd', nameOf: (tag: string) => `k8s/etcd:${tag}` };
  const image = buildImage({ layers: [] });

  await imageLayoutTarget(pause).putManifest(image, 'v1', run);

  assert.deepEqual([...shared.index.keys()], ['k8s/pause:v1']);
  assert.equal(await imageLayoutTarget(etcd).findManifest('v1', run), undefined);
  const { digest } = image.descriptor;
  assert.equal(await imageLayoutTarget(etcd).findManifest(digest, run), digest);
});

test('a name whose manifest is gone from the store is not found', async (t) => {
  const run = testRun(t);
  const repository = { label: 'layout', store: new MemoryStore(), index: new Map() };
  const image = buildImage({ layers: [] });
  await imageLayoutTarget(repository).putManifest(image, 'v1', run);

  await repository.store.remove(image.descriptor.digest, run);

  assert.equal(await imageLayoutTarget(repository).findManifest('v1', run), undefined);
  await assert.rejects(imageLayoutSource(repository).fetchManifest('v1', run), {
    code: 'MANIFEST_NOT_FOUND',
    message: 'layout (source) has no image v1',
  });
});
