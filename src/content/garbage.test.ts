import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import test, { type TestContext } from 'node:test';
import { buildArtifact } from '../../test/support/build-artifact.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { type Digest, digestOf } from '../oci/digest.ts';
import { type BuiltBlob, buildImage, buildIndex } from '../oci/image-builder.ts';
import { tarLayer } from '../oci/tar-layer.ts';
import { systemClock } from '../shared/ports.ts';
import { bytesOf } from './byte-streams.ts';
import { openDirStore } from './dir-store.ts';
import { collectGarbage } from './garbage.ts';
import { MemoryStore } from './memory-store.ts';
import type { BlobStore } from './ports.ts';

const at = (ms: number) => ({ now: () => ms, monotonic: () => ms });
const layer = (text: string) => tarLayer([{ path: text, content: text }]);

test('everything that a root reaches stays: nested indexes, configs, layers, subjects', async (t) => {
  const { store, put } = memory(t, 0);
  const image = buildImage({ layers: [layer('a')] });
  const inner = buildIndex([image]);
  const outer = buildIndex([{ ...inner, blobs: [] }]);
  const subject = buildImage({ layers: [layer('b')] });
  const note = { mediaType: 'text/plain', bytes: Buffer.from('note') };
  const artifactType = 'application/vnd.example.note';
  const signature = buildArtifact({
    artifactType,
    layers: [note],
    subject: subject.descriptor,
  });
  const kept = [...image.blobs, image, inner, outer, ...subject.blobs, subject];
  await put(...kept, ...signature.blobs, signature, loose('garbage'));

  const roots = [outer.descriptor, signature.descriptor];
  const report = await collectGarbage(store, { roots, clock: at(1), graceMs: 0 }, testRun(t));

  const expected = new Set([...kept, ...signature.blobs, signature].map(digestOfBlob));
  assert.deepEqual(new Set(await digestsIn(store, t)), expected);
  assert.deepEqual(report, {
    keptBlobs: expected.size,
    waitingBlobs: 0,
    removedBlobs: 1,
    freedBytes: 7,
  });
});

test('a dry run reports the same and removes nothing', async (t) => {
  const { store, put } = memory(t, 0);
  await put(loose('garbage'));

  const plan = { roots: [], clock: at(1), graceMs: 0 };
  const dry = await collectGarbage(store, { ...plan, dryRun: true }, testRun(t));
  const before = await digestsIn(store, t);
  const real = await collectGarbage(store, plan, testRun(t));

  assert.equal(before.length, 1);
  assert.deepEqual(dry, real);
  assert.deepEqual(await digestsIn(store, t), []);
});

test('a blob that was put a short time ago stays, since its manifest may be on its way', async (t) => {
  const { store, put } = memory(t, 1000);
  await put(loose('young'));

  const plan = { roots: [], graceMs: 500 };
  const young = await collectGarbage(store, { ...plan, clock: at(1499) }, testRun(t));
  const old = await collectGarbage(store, { ...plan, clock: at(1500) }, testRun(t));

  assert.deepEqual([young.waitingBlobs, young.removedBlobs], [1, 0]);
  assert.deepEqual([old.waitingBlobs, old.removedBlobs], [0, 1]);
});

test('what is put while the roots are still being read stays, also without grace', async (t) => {
  let nowMs = 1000;
  const clock = { now: () => nowMs, monotonic: () => nowMs };
  const store = new MemoryStore(clock);
  const image = buildImage({ layers: [] });
  for (const one of [...image.blobs, image]) {
    await store.put(one.descriptor, bytesOf(one.bytes), testRun(t));
  }
  const late = loose('late');
  const open = store.open.bind(store);
  store.open = async (...how) => {
    nowMs = 1500;
    await store.put(late.descriptor, bytesOf(late.bytes), testRun(t));
    nowMs = 2000;
    return open(...how);
  };

  const plan = { roots: [image.descriptor], clock, graceMs: 0 };
  const report = await collectGarbage(store, plan, testRun(t));

  assert.deepEqual([report.waitingBlobs, report.removedBlobs], [1, 0]);
});

test('on a disk, a blob that was just put stays by default', async (t) => {
  const store = await openDirStore(await tempDir(t), { write: true });
  t.after(() => store.close());
  const blob = loose('young');
  await store.put(blob.descriptor, bytesOf(blob.bytes), testRun(t));

  const report = await collectGarbage(store, { roots: [], clock: systemClock }, testRun(t));

  assert.equal(report.waitingBlobs, 1);
});

test('a platform that a sparse index leaves out is no reason to stop', async (t) => {
  const { store, put } = memory(t, 0);
  const present = buildImage({ layers: [layer('amd64')] });
  const absent = buildImage({ layers: [layer('arm64')] });
  const index = buildIndex([present, absent]);
  await put(...present.blobs, present, index);

  const roots = [index.descriptor];
  const report = await collectGarbage(store, { roots, clock: at(1), graceMs: 0 }, testRun(t));

  assert.equal(report.keptBlobs, 4);
  assert.equal(report.removedBlobs, 0);
});

test('a missing root ends it before anything is removed', async (t) => {
  const { store, put } = memory(t, 0);
  await put(loose('garbage'));
  const root = buildImage({ layers: [] }).descriptor;

  const collecting = collectGarbage(store, { roots: [root], clock: at(1) }, testRun(t));

  await assert.rejects(collecting, { code: 'GARBAGE_UNSURE' });
  assert.equal((await digestsIn(store, t)).length, 1);
});

test('a manifest that is damaged on the disk ends it before anything is removed', async (t) => {
  const store = await openDirStore(await tempDir(t), { write: true });
  t.after(() => store.close());
  const image = buildImage({ layers: [layer('a')] });
  for (const { descriptor, bytes } of [...image.blobs, image]) {
    await store.put(descriptor, bytesOf(bytes), testRun(t));
  }
  const damaged = Buffer.from(image.bytes).fill(' ', 10, 20);
  await writeFile(store.blobPath(image.descriptor.digest), damaged);

  const plan = { roots: [image.descriptor], clock: at(Number.MAX_SAFE_INTEGER) };
  const collecting = collectGarbage(store, plan, testRun(t));

  await assert.rejects(collecting, { code: 'GARBAGE_UNSURE', message: /the store .* sent sha256/ });
  assert.equal((await digestsIn(store, t)).length, 3);
});

test('an index that lists layers, as BuildKit writes its cache, keeps them', async (t) => {
  const { store, put } = memory(t, 0);
  const cached = loose('layer bytes');
  const index = buildIndex([{ ...cached, blobs: [] }]);
  await put(cached, index);

  const roots = [index.descriptor];
  const report = await collectGarbage(store, { roots, clock: at(1), graceMs: 0 }, testRun(t));

  assert.deepEqual([report.keptBlobs, report.removedBlobs], [2, 0]);
});

function memory(t: TestContext, nowMs: number) {
  const store = new MemoryStore(at(nowMs));
  const put = async (...blobs: readonly BuiltBlob[]) => {
    for (const { descriptor, bytes } of blobs) {
      await store.put(descriptor, bytesOf(bytes), testRun(t));
    }
  };
  return { store, put };
}

function loose(text: string): BuiltBlob {
  const bytes = Buffer.from(text);
  const descriptor: Descriptor = {
    mediaType: 'application/octet-stream',
    digest: digestOf(bytes),
    size: bytes.length,
  };
  return { descriptor, bytes };
}

function digestOfBlob(blob: BuiltBlob): Digest {
  return blob.descriptor.digest;
}

async function digestsIn(store: BlobStore, t: TestContext): Promise<Digest[]> {
  const digests: Digest[] = [];
  for await (const { digest } of store.list(testRun(t))) digests.push(digest);
  return digests;
}
