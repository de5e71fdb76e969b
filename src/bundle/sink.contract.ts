import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import {
  bytesOfSample,
  type SampleLock,
  sampleContents,
  sampleLock,
} from '../../test/support/sample-lock.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { bytesOf } from '../content/byte-streams.ts';
import { startRun } from '../shared/run.ts';
import { type BundledFile, bundlePaths } from './bundle-manifest.ts';
import type { BundleEntry } from './contents.ts';
import { openBundleFiles } from './read-bundle.ts';
import { readBundleManifest } from './read-manifest.ts';
import type { BundleSink } from './sink.ts';
import { verifyBundle } from './verify-bundle.ts';

type OpenSink = (path: string, files: readonly BundledFile[]) => Promise<BundleSink>;

const run = startRun();

/** What both ways of writing a bundle keep. `fingerprint` reads all that has been published. */
export function sinkContract(
  name: string,
  openSink: OpenSink,
  fingerprint: (path: string) => Promise<string>,
): void {
  test(`${name}: what is published is what was planned`, async (t) => {
    const { path } = await writeSample(t, openSink, sampleLock());

    await using files = await openBundleFiles(path);
    const manifest = await readBundleManifest(files);
    assert.deepEqual(await verifyBundle(files, manifest, run), []);
    assert.ok(files.entries.has('files/helm/v4.3.1/linux-amd64/helm'));
  });

  test(`${name}: nothing bears the final name before it is whole`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const { entries } = sampleContents(sampleLock());
    await using sink = await openSink(path, entries);
    for (const entry of entries) await sink.write(entry, bytesOf(bytes(entry, sampleLock())), run);

    await assert.rejects(openBundleFiles(path), { code: 'BUNDLE_INCOMPLETE' });

    await sink.publish(run);
    await using files = await openBundleFiles(path);
    assert.equal(files.entries.size, entries.length);
  });

  test(`${name}: the order of writing and the umask leave no trace (P9)`, async (t) => {
    const first = await writeSample(t, openSink, sampleLock());
    const second = await writeSample(t, openSink, sampleLock(), (list) => list.toReversed());

    assert.equal(await fingerprint(second.path), await fingerprint(first.path));
  });

  test(`${name}: what one run finished is there in the next (P4)`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const sample = sampleLock();
    const { entries } = sampleContents(sample);
    const done = entries.filter((entry) => entry.kind !== 'written').slice(0, 3);
    {
      await using killed = await openSink(path, entries);
      for (const entry of done) await killed.write(entry, bytesOf(bytes(entry, sample)), run);
    }

    await using next = await openSink(path, entries);

    assert.deepEqual(
      entries.filter((entry) => next.has(entry)).map((entry) => entry.path),
      done.map((entry) => entry.path),
    );
  });

  test(`${name}: a truncated entry is refused and does not count as written (P5)`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const sample = sampleLock();
    const { entries } = sampleContents(sample);
    const blob = entries.find((entry) => entry.kind === 'blob');
    assert.ok(blob);
    await using sink = await openSink(path, entries);

    const writing = sink.write(blob, bytesOf(bytes(blob, sample).subarray(1)), run);

    await assert.rejects(writing, { code: 'BLOB_SIZE_MISMATCH' });
    assert.equal(sink.has(blob), false);
    await using next = await openSink(path, entries);
    assert.equal(next.has(blob), false);
  });

  test(`${name}: another Lock under the same name does not mix with the first`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const old = sampleLock('old');
    {
      await using killed = await openSink(path, sampleContents(old).entries);
      for (const entry of sampleContents(old).entries) {
        await killed.write(entry, bytesOf(bytes(entry, old)), run);
      }
    }
    const sample = sampleLock('new');

    await writeAll(openSink, path, sample, sampleContents(sample).entries);

    await using files = await openBundleFiles(path);
    const manifest = await readBundleManifest(files);
    assert.deepEqual(await verifyBundle(files, manifest, run), []);
  });

  test(`${name}: reading starts anywhere in a blob`, async (t) => {
    const { path, sample } = await writeSample(t, openSink, sampleLock());
    await using files = await openBundleFiles(path);

    const chunks: Uint8Array[] = [];
    for await (const chunk of files.stream(bundlePaths.lock, 5)) chunks.push(chunk);

    assert.equal(Buffer.concat(chunks).toString(), sample.lockText.slice(5));
  });
}

async function writeSample(
  t: TestContext,
  openSink: OpenSink,
  sample: SampleLock,
  order: (entries: readonly BundleEntry[]) => readonly BundleEntry[] = (entries) => entries,
) {
  const path = `${await tempDir(t)}/sample`;
  await writeAll(openSink, path, sample, order(sampleContents(sample).entries));
  return { path, sample };
}

async function writeAll(
  openSink: OpenSink,
  path: string,
  sample: SampleLock,
  order: readonly BundleEntry[],
): Promise<void> {
  await using sink = await openSink(path, sampleContents(sample).entries);
  for (const entry of order) {
    if (!sink.has(entry)) await sink.write(entry, bytesOf(bytes(entry, sample)), run);
  }
  await sink.publish(run);
}

function bytes(entry: BundleEntry, sample: SampleLock): Uint8Array {
  return entry.kind === 'written' ? entry.bytes : bytesOfSample(sample, entry);
}
