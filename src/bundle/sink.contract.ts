import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import test, { type TestContext } from 'node:test';
import { assertSurvivesPowerCut, RecordedFiles } from '../../test/support/recorded-files.ts';
import {
  bytesOfSample,
  type SampleLock,
  sampleContents,
  sampleLock,
} from '../../test/support/sample-lock.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { bytesOf } from '../content/byte-streams.ts';
import type { DurableFiles } from '../shared/durable-files.ts';
import { startRun } from '../shared/run.ts';
import { bundlePaths } from './bundle-manifest.ts';
import type { BundleEntry } from './contents.ts';
import { bundleBlobs, openBundleFiles } from './read-bundle.ts';
import { readIdentified } from './read-manifest.ts';
import type { OpenSink } from './sink.ts';
import { verifyBundle } from './verify-bundle.ts';

const run = startRun();

/** What both ways of writing a bundle keep. `fingerprint` reads all that has been published. */
export function sinkContract(
  name: string,
  openSink: OpenSink,
  fingerprint: (path: string) => Promise<string>,
): void {
  test(`${name}: what is published is what was planned`, async (t) => {
    const { path } = await writeSample(t, openSink, sampleLock());

    await using files = await openBundleFiles(path, run);
    const { manifest } = await readIdentified(files);
    assert.deepEqual(await verifyBundle(files, manifest, run), []);
    assert.ok(files.entries.has('files/helm/v4.3.1/linux-amd64/helm'));
  });

  test(`${name}: nothing bears the final name before it is whole`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const { entries } = sampleContents(sampleLock());
    await using sink = await openSink(path, entries, run);
    for (const entry of entries) await sink.write(entry, bytesOf(bytes(entry, sampleLock())), run);

    await assert.rejects(openBundleFiles(path, run), { code: 'BUNDLE_INCOMPLETE' });

    await sink.publish(run);
    await using files = await openBundleFiles(path, run);
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
      await using killed = await openSink(path, entries, run);
      for (const entry of done) await killed.write(entry, bytesOf(bytes(entry, sample)), run);
    }

    await using next = await openSink(path, entries, run);

    assert.deepEqual(
      entries.filter((entry) => next.has(entry)).map((entry) => entry.path),
      done.map((entry) => entry.path),
    );
  });

  test(`${name}: what one run finished and the disk then lost is written again (P5)`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const sample = sampleLock();
    const { entries } = sampleContents(sample);
    const blob = entries.find((entry) => entry.kind === 'blob');
    assert.ok(blob);
    {
      await using killed = await openSink(path, entries, run);
      for (const entry of entries) await killed.write(entry, bytesOf(bytes(entry, sample)), run);
    }
    await zeroIn(`${path}.partial`, blob.path, Buffer.from(bytes(blob, sample)));

    await using next = await openSink(path, entries, run);

    assert.deepEqual(
      entries.filter((entry) => !next.has(entry)).map((entry) => entry.path),
      [blob.path],
    );
  });

  test(`${name}: a truncated entry is refused and does not count as written (P5)`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const sample = sampleLock();
    const { entries } = sampleContents(sample);
    const blob = entries.find((entry) => entry.kind === 'blob');
    assert.ok(blob);
    await using sink = await openSink(path, entries, run);

    const writing = sink.write(blob, bytesOf(bytes(blob, sample).subarray(1)), run);

    await assert.rejects(writing, { code: 'BLOB_SIZE_MISMATCH' });
    assert.equal(sink.has(blob), false);
    await using next = await openSink(path, entries, run);
    assert.equal(next.has(blob), false);
  });

  test(`${name}: another Lock under the same name does not mix with the first`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const old = sampleLock('old');
    {
      await using killed = await openSink(path, sampleContents(old).entries, run);
      for (const entry of sampleContents(old).entries) {
        await killed.write(entry, bytesOf(bytes(entry, old)), run);
      }
    }
    const sample = sampleLock('new');

    await writeAll({ openSink, path, sample }, sampleContents(sample).entries);

    await using files = await openBundleFiles(path, run);
    const { manifest } = await readIdentified(files);
    assert.deepEqual(await verifyBundle(files, manifest, run), []);
  });

  test(`${name}: a power cut takes no byte of what counts as finished (P5)`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const sample = sampleLock();
    const disk = new RecordedFiles();

    await writeAll({ openSink, path, sample, disk }, sampleContents(sample).entries);

    assertSurvivesPowerCut(disk.events, path);
    const { events } = disk;
    // Each folder of the bundle, and each line of a journal after the bytes that it speaks of.
    for (const [at, { did, path: written }] of events.entries()) {
      if (did !== 'write' || !written.endsWith('.journal')) continue;
      const before = events.slice(0, at).filter((event) => event.path === `${path}.partial`);
      const lastWrite = before.findLastIndex((event) => event.did === 'write');
      const isFirst = lastWrite === -1;
      assert.ok(isFirst || before.slice(lastWrite).some((event) => event.did === 'sync'));
    }
  });

  test(`${name}: opening makes nothing; a run that fails before it began leaves nothing`, async (t) => {
    const folder = await tempDir(t);

    await using _ = await openSink(`${folder}/sample`, sampleContents(sampleLock()).entries, run);

    assert.deepEqual(await readdir(folder), []);
  });

  test(`${name}: whoever took the name meanwhile keeps it`, async (t) => {
    const path = `${await tempDir(t)}/sample`;
    const sample = sampleLock();
    const { entries } = sampleContents(sample);
    await using sink = await openSink(path, entries, run);
    for (const entry of entries) await sink.write(entry, bytesOf(bytes(entry, sample)), run);
    await writeFile(path, 'mine');

    await assert.rejects(sink.publish(run), { code: 'BUNDLE_EXISTS' });

    assert.equal(await readFile(path, 'utf8'), 'mine');
  });

  test(`${name}: somebody else's file, folder or link in the way stays as it is`, async (t) => {
    const { entries } = sampleContents(sampleLock());
    for (const put of foreign) {
      const folder = await tempDir(t);
      await put(`${folder}/sample.partial`);
      const before = await listed(folder);

      await assert.rejects(openSink(`${folder}/sample`, entries, run), {
        code: 'BUNDLE_PARTIAL_FOREIGN',
      });

      assert.deepEqual(await listed(folder), before);
    }
  });

  test(`${name}: reading starts anywhere in a blob`, async (t) => {
    const { path, sample } = await writeSample(t, openSink, sampleLock());
    await using files = await openBundleFiles(path, run);

    const chunks: Uint8Array[] = [];
    for await (const chunk of files.stream(bundlePaths.lock, { fromByte: 5 })) chunks.push(chunk);

    assert.equal(Buffer.concat(chunks).toString(), sample.lockText.slice(5));
  });

  test(`${name}: a reader gets chunks as large as it has room for, and none is read ahead`, async (t) => {
    const { path, sample } = await writeSample(t, openSink, sampleLock());
    await using files = await openBundleFiles(path, run);
    const blob = { digest: sample.lock.spec.images[0]?.target.digest ?? assert.fail(), size: 0 };
    const size = (await bundleBlobs(files).find(blob.digest, run)) ?? 0;
    const allowed = [2, 5, size];
    const asked: number[] = [];
    const chunkBytes = () => {
      asked.push(allowed[asked.length] ?? 1);
      return asked.at(-1) ?? 1;
    };

    const lengths: number[] = [];
    for await (const { length } of await bundleBlobs(files).open(blob, run, 1, { chunkBytes })) {
      lengths.push(length);
      assert.equal(asked.length, lengths.length);
    }

    assert.deepEqual(lengths, [2, 5, size - 1 - 2 - 5]);
  });
}

/** What others may have put where an unfinished bundle would lie. */
const foreign: readonly ((partial: string) => Promise<unknown>)[] = [
  (partial) => symlink('elsewhere', partial),
  async (partial) => {
    await mkdir(`${partial}/photos`, { recursive: true });
    await writeFile(`${partial}/photos/holiday.jpg`, 'me');
  },
  async (partial) => {
    await mkdir(partial);
    await writeFile(`${partial}/index.json`, 'the index of another bundle');
  },
];

/** All names below a folder with the content of files. */
async function listed(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry) => {
    const path = `${entry.parentPath}/${entry.name}`;
    return `${path} ${entry.isFile() ? await readFile(path, 'utf8') : ''}`;
  });
  return (await Promise.all(texts)).sort();
}

async function writeSample(
  t: TestContext,
  openSink: OpenSink,
  sample: SampleLock,
  order: (entries: readonly BundleEntry[]) => readonly BundleEntry[] = (entries) => entries,
) {
  const path = `${await tempDir(t)}/sample`;
  await writeAll({ openSink, path, sample }, order(sampleContents(sample).entries));
  return { path, sample };
}

interface Writing {
  readonly openSink: OpenSink;
  readonly path: string;
  readonly sample: SampleLock;
  readonly disk?: DurableFiles;
}

async function writeAll(
  { openSink, path, sample, disk }: Writing,
  order: readonly BundleEntry[],
): Promise<void> {
  await using sink = await openSink(path, sampleContents(sample).entries, run, disk);
  for (const entry of order) {
    if (!sink.has(entry)) await sink.write(entry, bytesOf(bytes(entry, sample)), run);
  }
  await sink.publish(run);
}

function bytes(entry: BundleEntry, sample: SampleLock): Uint8Array {
  return entry.kind === 'written' ? entry.bytes : bytesOfSample(sample, entry);
}

/** Overwrites one entry of an unfinished bundle with zeros, wherever its bytes lie. */
async function zeroIn(partialPath: string, entry: string, bytes: Buffer): Promise<void> {
  const isFolder = (await stat(partialPath)).isDirectory();
  const file = isFolder ? `${partialPath}/${entry}` : partialPath;
  const content = await readFile(file);
  const at = content.indexOf(bytes);
  assert.notEqual(at, -1);
  await writeFile(file, content.fill(0, at, at + bytes.length));
}
