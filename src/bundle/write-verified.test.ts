import assert from 'node:assert/strict';
import test from 'node:test';
import { testRun } from '../../test/support/test-run.ts';
import { appendingAt } from '../content/append-bytes.ts';
import { bytesOf } from '../content/byte-streams.ts';
import { digestOf } from '../oci/digest.ts';
import { type WritePlace, writeVerified } from './write-verified.ts';

const mib = 1024 * 1024;

/** A file in memory that takes at most `atOnce` bytes in one write, as a kernel may. */
class FakeFile {
  readonly bytes = Buffer.alloc(18 * mib);
  readonly atOnce: number;
  flushes = 0;
  flushError: Error | undefined;
  underWay = 0;
  mostUnderWay = 0;

  constructor(atOnce: number) {
    this.atOnce = atOnce;
  }

  async writev(chunks: readonly Uint8Array[], offset: number): Promise<{ bytesWritten: number }> {
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await Promise.resolve();
    const taken = Buffer.concat(chunks).subarray(0, this.atOnce);
    this.bytes.set(taken, offset);
    this.underWay -= 1;
    return { bytesWritten: taken.length };
  }

  at(offset: number): WritePlace {
    const flush = async () => {
      this.flushes += 1;
      if (this.flushError !== undefined) throw this.flushError;
    };
    return { file: appendingAt(this, offset), flush };
  }
}

function entryOf(bytes: Uint8Array) {
  return { path: 'blob', size: bytes.length, digest: digestOf(bytes), mode: '0644' };
}

test('bytes that the kernel takes in parts all get to their place, one write at a time', async (t) => {
  const bytes = Buffer.alloc(3 * mib + 5, 'abc');
  const file = new FakeFile(700_001);

  await writeVerified(file.at(7), entryOf(bytes), bytesOf(bytes), testRun(t));

  assert.ok(file.bytes.subarray(7, 7 + bytes.length).equals(bytes));
  assert.equal(file.bytes[6], 0);
  assert.equal(file.bytes[7 + bytes.length], 0);
  assert.equal(file.mostUnderWay, 1);
});

test('the disk is told to begin while a big blob is still coming', async (t) => {
  const bytes = Buffer.alloc(17 * mib, 'abc');
  const file = new FakeFile(bytes.length);

  await writeVerified(file.at(0), entryOf(bytes), bytesOf(bytes), testRun(t));

  assert.equal(file.flushes, 2);
});

test('a write that fails ends the transfer with its error', async (t) => {
  const bytes = Buffer.alloc(5 * mib, 'abc');
  const file = new FakeFile(bytes.length);
  file.writev = () => Promise.reject(new Error('no room'));

  const writing = writeVerified(file.at(0), entryOf(bytes), bytesOf(bytes), testRun(t));

  await assert.rejects(writing, { message: 'no room' });
});

test('a disk that lost bytes on the way is told, though the last sync would not say so', async (t) => {
  const bytes = Buffer.alloc(17 * mib, 'abc');
  const file = new FakeFile(bytes.length);
  file.flushError = new Error('EIO');

  await assert.rejects(writeVerified(file.at(0), entryOf(bytes), bytesOf(bytes), testRun(t)), {
    message: 'EIO',
  });
});
