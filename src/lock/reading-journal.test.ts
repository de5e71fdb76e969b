import assert from 'node:assert/strict';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
import { digestOf } from '../oci/digest.ts';
import { ReadingJournal } from './reading-journal.ts';

const texts = ['{"one":1}', '', 'two\nlines\n', 'x'.repeat(300_000)];
const contents = texts.map((text) => {
  const bytes = Buffer.from(text);
  return { bytes, digest: digestOf(bytes) };
});

async function journalPath(t: TestContext): Promise<string> {
  return join(await tempDir(t), 'read.journal');
}

/** Opens, lets `work` have it, closes. */
async function withJournal<T>(path: string, work: (journal: ReadingJournal) => Promise<T>) {
  await using journal = await ReadingJournal.open(path);
  return await work(journal);
}

/** Which of the contents are there, by place. */
function found(path: string): Promise<number[]> {
  return withJournal(path, async (journal) => {
    const there: number[] = [];
    for (const [index, { bytes, digest }] of contents.entries()) {
      const read = await journal.find(digest);
      if (read === undefined) continue;
      assert.deepEqual(Buffer.from(read), bytes);
      there.push(index);
    }
    return there;
  });
}

async function filled(t: TestContext): Promise<string> {
  const path = await journalPath(t);
  await withJournal(path, (journal) =>
    Promise.all(contents.map(({ digest, bytes }) => journal.keep(digest, bytes))),
  );
  return path;
}

test('what was kept, also at the same time, is there in the next run', async (t) => {
  const path = await filled(t);

  assert.deepEqual(await found(path), [0, 1, 2, 3]);
});

test('a journal is new until something was kept in a run before', async (t) => {
  const path = await journalPath(t);

  const first = await withJournal(path, async (journal) => {
    const [one] = contents;
    assert.ok(one);
    await journal.keep(one.digest, one.bytes);
    return [journal.isNew, journal.isEmpty];
  });
  const second = await withJournal(path, async ({ isNew, isEmpty }) => [isNew, isEmpty]);

  assert.deepEqual(
    [first, second],
    [
      [true, false],
      [false, false],
    ],
  );
});

test('what is kept twice lies there once', async (t) => {
  const path = await filled(t);
  const before = await readFile(path);

  await withJournal(path, (journal) =>
    Promise.all(contents.map(({ digest, bytes }) => journal.keep(digest, bytes))),
  );

  assert.deepEqual(await readFile(path), before);
});

test('cut off anywhere, whole records stay and the rest can be kept anew', async (t) => {
  const path = await journalPath(t);
  const small = contents.slice(0, 3);
  await withJournal(path, async (journal) => {
    for (const { digest, bytes } of small) await journal.keep(digest, bytes);
  });
  const whole = await readFile(path);
  for (let length = whole.length; length >= 0; length -= 1) {
    await writeFile(path, whole);
    await truncate(path, length);

    const there = await found(path);
    await withJournal(path, async (journal) => {
      for (const { digest, bytes } of small) await journal.keep(digest, bytes);
    });

    assert.deepEqual(there, [0, 1, 2].slice(0, there.length));
    assert.deepEqual(await readFile(path), whole, `cut at ${length}`);
  }
});

test('a damaged end is cut off, so that nothing of it lies behind what is kept later', async (t) => {
  const path = await filled(t);
  const whole = await readFile(path);
  const half = `${digestOf('never kept')} 500000\n${'x'.repeat(2000)}`;
  await writeFile(path, Buffer.concat([whole, Buffer.from(half)]));

  await withJournal(path, async () => {});

  assert.ok((await readFile(path)).equals(whole), 'something else lies there');
});

test('bytes that are not those of their digest do not count as read', async (t) => {
  const path = await filled(t);
  const damaged = (await readFile(path)).toString('latin1').replace('"one":1', '"one":2');
  await writeFile(path, damaged, 'latin1');

  assert.deepEqual(await found(path), [1, 2, 3]);
});
