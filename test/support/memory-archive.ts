/** Archives in memory, to be damaged and read many times. */
import type { TestContext } from 'node:test';
import type { ArchiveReader } from '../../src/bundle/archive-reader.ts';
import { type BundledFile, bundlePaths } from '../../src/bundle/bundle-manifest.ts';
import type { OpenSink } from '../../src/bundle/sink.ts';
import { bytesOf } from '../../src/content/byte-streams.ts';
import { digestOf } from '../../src/oci/digest.ts';
import { canonicalJson } from '../../src/shared/json.ts';
import { encodeHeader, paddedSize, tarEndBytes } from '../../src/shared/tar-header.ts';
import { bytesOfSample, type SampleLock, sampleContents, sampleLock } from './sample-lock.ts';
import { testRun } from './test-run.ts';

/** An archive that is read from memory; what is behind its end is not there. */
export function memoryArchive(bytes: Buffer): ArchiveReader {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Files with their bytes, as they are packed. */
export type Packed = ReadonlyArray<{
  readonly path: string;
  readonly mode: string;
  readonly bytes: Buffer;
}>;

/** An archive of these files, as ours are. */
export function packTar(files: Packed): Buffer {
  const parts = files.flatMap(({ bytes, ...file }) => {
    const size = bytes.length;
    const padding = Buffer.alloc(paddedSize(size) - size);
    return [encodeHeader({ ...file, size }), bytes, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(tarEndBytes)]);
}

/**
 * The smallest bundle with every kind of entry: its manifest, a program, a blob whose name needs a pax header.
 * What `verify` reads; no Lock stands behind it.
 */
export function tinyBundle(): Packed {
  const blob = Buffer.from('blob');
  const contents: Packed = [
    { path: 'files/a/b/any/a', mode: '0755', bytes: Buffer.from('#!/bin/sh\n') },
    { path: `blobs/sha512/${digestOf(blob, 'sha512').slice(7)}`, mode: '0644', bytes: blob },
  ];
  const files: BundledFile[] = contents.map(({ path, mode, bytes }) => ({
    path,
    mode,
    size: bytes.length,
    digest: digestOf(bytes),
  }));
  const manifest = {
    formatVersion: 1,
    tool: { name: 'slipway', version: '0' },
    purpose: 'own-use',
    release: { name: 'tiny', version: '1' },
    lock: { path: bundlePaths.lock, digest: digestOf('') },
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
  const text = Buffer.from(`${canonicalJson(manifest, 1)}\n`);
  return [{ path: bundlePaths.manifest, mode: '0644', bytes: text }, ...contents];
}

/** Writes the bundle of a sample with a sink of the product. */
export async function writeSampleBundle(
  t: TestContext,
  openSink: OpenSink,
  path: string,
  sample: SampleLock = sampleLock(),
): Promise<void> {
  const { entries } = sampleContents(sample);
  await using sink = await openSink(path, entries, testRun(t));
  for (const entry of entries) {
    const bytes = entry.kind === 'written' ? entry.bytes : bytesOfSample(sample, entry);
    await sink.write(entry, bytesOf(bytes), testRun(t));
  }
  await sink.publish(testRun(t));
}
