import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { bytesOfSample, sampleContents, sampleLock } from '../../test/support/sample-lock.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { bytesOf } from '../content/byte-streams.ts';
import { startRun } from '../shared/run.ts';
import { removeJournalOf } from './partial-archive.ts';
import { openTarSink } from './tar-sink.ts';

const sample = sampleLock();
const { entries } = sampleContents(sample);
const blob = entries.find((entry) => entry.kind === 'blob');
assert.ok(blob);

async function killedAfterOneBlob(t: TestContext): Promise<string> {
  const path = join(await tempDir(t), 'sample.tar');
  await using killed = await openTarSink(path, entries, startRun());
  assert.ok(blob);
  await killed.write(blob, bytesOf(bytesOfSample(sample, blob)), startRun());
  return path;
}

for (const [what, harm] of [
  ['removed', (path: string) => rm(path)],
  ['cut', (path: string) => truncate(path, 10)],
] as const) {
  test(`the journal of an archive that somebody ${what} counts for nothing`, async (t) => {
    const path = await killedAfterOneBlob(t);
    await harm(`${path}.partial`);

    await using next = await openTarSink(path, entries, startRun());

    assert.equal(next.has(blob), false);
  });
}

test('the journal of a finished archive goes, that of an unfinished one stays', async (t) => {
  const unfinished = await killedAfterOneBlob(t);
  const finished = join(await tempDir(t), 'other.tar');
  await writeFile(`${finished}.partial.journal`, '');

  await removeJournalOf(unfinished);
  await removeJournalOf(finished);

  assert.deepEqual((await readdir(join(unfinished, '..'))).sort(), [
    'sample.tar.partial',
    'sample.tar.partial.journal',
  ]);
  assert.deepEqual(await readdir(join(finished, '..')), []);
});

for (const [what, put] of [
  ['an archive without a journal', (path: string) => writeFile(`${path}.partial`, 'me')],
  ['a journal of another program', (path: string) => writeFile(`${path}.partial.journal`, 'me')],
  ['a journal that is a folder', (path: string) => mkdir(`${path}.partial.journal`)],
] as const) {
  test(`${what} stays as it is`, async (t) => {
    const folder = await tempDir(t);
    const path = join(folder, 'sample.tar');
    await put(path);
    const before = await readdir(folder);

    await assert.rejects(openTarSink(path, entries, startRun()), {
      code: 'BUNDLE_PARTIAL_FOREIGN',
    });
    await removeJournalOf(path);

    assert.deepEqual(await readdir(folder), before);
    const [name = ''] = before;
    if (what !== 'a journal that is a folder') {
      assert.equal(await readFile(join(folder, name), 'utf8'), 'me');
    }
  });
}

test('an archive of another Lock goes, and its journal after it', async (t) => {
  const path = await killedAfterOneBlob(t);
  const other = sampleContents(sampleLock('another')).entries;

  await using next = await openTarSink(path, other, startRun());

  assert.ok(!other.some((entry) => next.has(entry)));
  assert.deepEqual(await readdir(join(path, '..')), []);
});
