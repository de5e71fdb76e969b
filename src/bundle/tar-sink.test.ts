import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { RecordedFiles } from '../../test/support/recorded-files.ts';
import { sampleContents, sampleLock } from '../../test/support/sample-lock.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import { bytesOf } from '../content/byte-streams.ts';
import { sinkContract } from './sink.contract.ts';
import { openTarSink } from './tar-sink.ts';

sinkContract('tar', openTarSink, async (path) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex'),
);

/** A disk that says once that it lost bytes, as the kernel does, and whatever was to be written is gone. */
class LosingDisk extends RecordedFiles {
  #isTold = false;

  override async open(path: string, flags: string, mode?: number) {
    const handle = await super.open(path, flags, mode);
    const { datasync } = handle;
    if (!path.endsWith('.partial')) return handle;
    handle.datasync = async () => {
      if (this.#isTold) return datasync();
      this.#isTold = true;
      throw Object.assign(new Error('lost'), { code: 'EIO' });
    };
    return handle;
  }
}

test('once the disk has lost bytes of an archive, nothing more counts as written', async (t) => {
  const { entries } = sampleContents(sampleLock());
  const written = entries.flatMap((entry) => (entry.kind === 'written' ? [entry] : []));
  const path = join(await tempDir(t), 'a.tar');
  await using sink = await openTarSink(path, entries, testRun(t), new LosingDisk());

  for (const entry of written.slice(0, 2)) {
    const writing = sink.write(entry, bytesOf(entry.bytes), testRun(t));

    await assert.rejects(writing, { message: 'lost' });
    assert.equal(sink.has(entry), false);
  }
});
