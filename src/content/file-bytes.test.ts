import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
import { collectBytes } from './byte-streams.ts';
import { FileBytes, type FilePart } from './file-bytes.ts';

const text = '0123456789';
const usual: FilePart = {
  fromByte: 0,
  expectedBytes: text.length,
  signal: new AbortController().signal,
};

async function openFile(t: TestContext, part: Partial<FilePart>) {
  const path = join(await tempDir(t), 'file');
  await writeFile(path, text);
  const file = await open(path, 'r');
  const isOpen = () =>
    file.stat().then(
      () => true,
      () => false,
    );
  return { bytes: new FileBytes(file, { ...usual, ...part }), isOpen };
}

for (const [what, part, want] of [
  ['the whole', {}, text],
  ['from the middle', { fromByte: 4, expectedBytes: 6 }, '456789'],
  ['more than was expected', { expectedBytes: 3 }, text],
  ['less than was expected', { expectedBytes: 100 }, text],
  ['nothing, from behind the end', { fromByte: 50, expectedBytes: 0 }, ''],
  ['in pieces', { chunkBytes: () => 3 }, text],
] as const) {
  test(`a file is read to its end: ${what}; then it is closed`, async (t) => {
    const { bytes, isOpen } = await openFile(t, part);

    assert.equal(Buffer.from(await collectBytes(bytes)).toString(), want);

    assert.equal(await isOpen(), false);
    assert.deepEqual(await bytes.next(), { done: true, value: undefined });
  });
}

test('no chunk is larger than it may be at the time it is read, nor than what is left', async (t) => {
  const allowed = [2, 5, 100];
  const { bytes } = await openFile(t, { chunkBytes: () => allowed.shift() ?? 1 });

  const lengths: number[] = [];
  for await (const { length } of bytes) lengths.push(length);

  assert.deepEqual(lengths, [2, 5, 3]);
});

test('a reader that goes away, before or while it reads, closes the file', async (t) => {
  const [unread, begun] = [await openFile(t, {}), await openFile(t, { chunkBytes: () => 1 })];

  await unread.bytes.return();
  for await (const _ of begun.bytes) break;

  assert.equal(await unread.isOpen(), false);
  assert.equal(await begun.isOpen(), false);
});

test('an abort ends it with its reason and closes the file', async (t) => {
  const abort = new AbortController();
  const { bytes, isOpen } = await openFile(t, { signal: abort.signal, chunkBytes: () => 1 });
  await bytes.next();

  abort.abort(new Error('stopped by the test'));

  await assert.rejects(bytes.next(), /stopped by the test/);
  assert.equal(await isOpen(), false);
});
