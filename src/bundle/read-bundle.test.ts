import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { writeSampleBundle } from '../../test/support/memory-archive.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import { collectBytes } from '../content/byte-streams.ts';
import { openFolderSink } from './folder-sink.ts';
import { openBundleFiles } from './read-bundle.ts';

const helm = 'files/helm/v4.3.1/linux-amd64/helm';

const replacements: Readonly<Record<string, (file: string, secret: string) => Promise<void>>> = {
  'a link': (file, secret) => symlink(secret, file),
  'a pipe': async (file) => void execFileSync('mkfifo', [file]),
  'a file of another size': async (file, secret) => {
    await writeFile(file, secret);
    await truncate(file, 3);
  },
  nothing: async () => {},
};

for (const [what, replace] of Object.entries(replacements)) {
  test(`a file that became ${what} after the bundle was opened is not read`, async (t) => {
    const path = join(await tempDir(t), 'sample');
    await writeSampleBundle(t, openFolderSink, path);
    const secret = join(await tempDir(t), 'secret');
    await writeFile(secret, 'for root only');
    await using files = await openBundleFiles(path, testRun(t));
    await rm(join(path, helm));
    await replace(join(path, helm), secret);

    await assert.rejects(collectBytes(files.stream(helm)), { code: 'BUNDLE_DAMAGED' });
  });
}
