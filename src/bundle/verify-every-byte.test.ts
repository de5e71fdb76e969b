/** Nothing in an archive can be changed, cut or added without being named: every byte counts. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import {
  memoryArchive,
  type Packed,
  packTar,
  tinyBundle,
  writeSampleBundle,
} from '../../test/support/memory-archive.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { digestOf } from '../oci/digest.ts';
import { SlipwayError } from '../shared/errors.ts';
import { startRun } from '../shared/run.ts';
import { encodeHeader, tarEndBytes } from '../shared/tar-header.ts';
import { bundlePaths } from './bundle-manifest.ts';
import { examineBundle } from './examine-bundle.ts';
import { openArchive } from './read-bundle.ts';
import { readIdentified } from './read-manifest.ts';
import { openTarSink } from './tar-sink.ts';
import { verifyBundle } from './verify-bundle.ts';

const run = startRun();
const tiny = tinyBundle();
const whole = packTar(tiny);

/** What verify says: `changed PATH` for each difference, the code of an error, or the identity. */
async function verdict(archive: Buffer): Promise<readonly string[]> {
  try {
    await using files = await openArchive('x.tar', memoryArchive(archive), run);
    const { manifest, identity } = await readIdentified(files);
    const differences = await verifyBundle(files, manifest, run);
    if (differences.length === 0) return [identity];
    return differences.map(({ kind, path }) => `${kind} ${path}`);
  } catch (error) {
    if (error instanceof SlipwayError) return [error.code];
    throw error;
  }
}

/** A copy with one other bit. */
function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

const [ownEntry] = tiny;
assert.ok(ownEntry);
const identity = digestOf(ownEntry.bytes);

test('an archive as it was made has no differences', async () => {
  assert.deepEqual(await verdict(whole), [identity]);
});

test('every byte that is changed is noticed; of the manifest at least by its identity', async () => {
  for (let at = 0; at < whole.length; at += 1) {
    const found = await verdict(flipped(whole, at, at % 8));

    assert.notDeepEqual(found, [identity], `byte ${at}`);
    const isInManifest = at >= 512 && at < 512 + ownEntry.bytes.length;
    const isByIdentity = found.every((text) => text.startsWith('sha256:'));
    if (isByIdentity) assert.ok(isInManifest, `byte ${at} is noticed by the identity only`);
  }
});

test('an archive cut at any block is noticed', async () => {
  for (let length = 0; length < whole.length; length += 512) {
    assert.notDeepEqual(await verdict(whole.subarray(0, length)), [identity], `cut at ${length}`);
  }
});

/** A block that speaks about other entries, with a header that is in order. */
function block(type: string, path: string, body: string): Buffer {
  const header = encodeHeader({ path, size: body.length, mode: '0644' });
  header.write(type, 156, 'latin1');
  header.write('        ', 148, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const padded = Buffer.alloc(Math.ceil(body.length / 512) * 512);
  padded.write(body);
  return Buffer.concat([header, padded]);
}

const atStart = 0;
const atEnd = whole.length - tarEndBytes;
const comment = '15 comment=abc\n';

const additions: Record<string, { at: number; bytes: Buffer; expected: string }> = {
  'an empty folder': { at: atEnd, bytes: block('5', 'extra', ''), expected: 'added extra/' },
  'a folder that has bytes': {
    at: atEnd,
    bytes: block('5', 'files', 'hidden'),
    expected: 'added files/',
  },
  'the folder that was packed': { at: atStart, bytes: block('5', './', ''), expected: 'added ./' },
  'a header for all files': {
    at: atStart,
    bytes: block('g', 'pax', comment),
    expected: `changed ${bundlePaths.manifest}`,
  },
  'a header for one file': {
    at: atStart,
    bytes: block('x', 'pax', comment),
    expected: `changed ${bundlePaths.manifest}`,
  },
  'a header for no file': {
    at: atEnd,
    bytes: block('g', 'pax', comment),
    expected: 'added x.tar',
  },
  'a file': { at: atEnd, bytes: block('0', 'extra', 'x'), expected: 'added extra' },
  'a block of zeros before the end': {
    at: atEnd,
    bytes: Buffer.alloc(512),
    expected: 'added x.tar',
  },
  'zeros behind the end': {
    at: whole.length,
    bytes: Buffer.alloc(10_240),
    expected: 'added x.tar',
  },
  'another archive behind the end': { at: whole.length, bytes: whole, expected: 'added x.tar' },
  'a few bytes behind the end': {
    at: whole.length,
    bytes: Buffer.from('x'),
    expected: 'added x.tar',
  },
};

for (const [what, { at, bytes, expected }] of Object.entries(additions)) {
  test(`verify names ${what} that was added to an archive`, async () => {
    const archive = Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)]);

    assert.deepEqual(await verdict(archive), [expected]);
  });
}

test('verify names files that were put into another order', async () => {
  const swapped: Packed = [ownEntry, ...tiny.slice(1).reverse()];

  assert.deepEqual(await verdict(packTar(swapped)), ['changed x.tar']);
});

test('an archive that another program packed is one difference, not one for each file', async () => {
  const repacked = Buffer.concat(
    tiny.flatMap(({ path, bytes }) => [
      block('L', '././@LongLink', `${path}\0`),
      block('0', 'x', bytes.toString('latin1')),
    ]),
  );

  const found = await verdict(Buffer.concat([repacked, Buffer.alloc(tarEndBytes)]));

  assert.deepEqual(
    found.filter((text) => text.endsWith('x.tar')),
    ['changed x.tar'],
  );
  assert.ok(found.length <= 2, found.join('\n'));
});

test('a name that comes twice is refused: readers disagree on which of both counts', async () => {
  assert.deepEqual(await verdict(packTar([...tiny, ...tiny.slice(1, 2)])), ['BUNDLE_NOT_A_BUNDLE']);
});

/** Positions spread over an archive, the same in every run. */
function positions(length: number, count: number): number[] {
  const step = length / count;
  return Array.from({ length: count }, (_, at) => Math.floor((at + ((at * 7) % 10) / 10) * step));
}

async function sampleArchive(t: TestContext): Promise<Buffer> {
  const path = join(await tempDir(t), 'sample.tar');
  await writeSampleBundle(t, openTarSink, path);
  return readFile(path);
}

test('a changed byte of a whole bundle is noticed by verify, except in the version of its maker', async (t) => {
  const archive = await sampleArchive(t);
  const version = archive.indexOf('0.0.0-test');
  const examine = async (bytes: Buffer) => {
    await using files = await openArchive('x.tar', memoryArchive(bytes), run);
    return (await examineBundle(files, run)).differences.length > 0;
  };
  assert.equal(await examine(archive), false);

  const inManifest = positions(4096, 150).map((at) => at + 512);
  for (const at of [version, ...inManifest, ...positions(archive.length, 150)]) {
    const isNoticed = await examine(flipped(archive, at, 0)).catch(
      (error: unknown) => error instanceof SlipwayError,
    );
    const isVersion = at >= version && at < version + '0.0.0-test'.length;
    assert.equal(isNoticed, !isVersion, `byte ${at}`);
  }
});
