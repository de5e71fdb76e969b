import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { writeSampleBundle } from '../../test/support/memory-archive.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import { type ProgressEvent, startRun } from '../shared/run.ts';
import { encodeHeader } from '../shared/tar-header.ts';
import { examineBundle } from './examine-bundle.ts';
import { openFolderSink } from './folder-sink.ts';
import { openBundle } from './open-bundle.ts';
import { openBundleFiles } from './read-bundle.ts';
import { readIdentified } from './read-manifest.ts';
import type { OpenSink } from './sink.ts';
import { openTarSink } from './tar-sink.ts';
import { verifyBundle } from './verify-bundle.ts';

async function writeSample(t: TestContext, openSink: OpenSink): Promise<string> {
  const path = join(await tempDir(t), 'sample');
  await writeSampleBundle(t, openSink, path);
  return path;
}

async function differences(t: TestContext, path: string): Promise<string[]> {
  await using files = await openBundleFiles(path, testRun(t));
  const found = await verifyBundle(files, (await readIdentified(files)).manifest, testRun(t));
  return found.map(({ kind, path: name }) => `${kind} ${name}`);
}

const helm = 'files/helm/v4.3.1/linux-amd64/helm';

const damages: Record<string, { damage: (path: string) => Promise<void>; expected: string[] }> = {
  'a changed byte': {
    damage: (path) => writeFile(join(path, helm), '#!/bin/sh\necho HELM\n'),
    expected: [`changed ${helm}`],
  },
  'a file cut short': {
    damage: (path) => truncate(join(path, helm), 3),
    expected: [`truncated ${helm}`],
  },
  'a missing file': { damage: (path) => rm(join(path, helm)), expected: [`missing ${helm}`] },
  'a file that was added': {
    damage: (path) => writeFile(join(path, 'blobs/readme.txt'), 'hello'),
    expected: ['added blobs/readme.txt'],
  },
  'an empty folder that was added': {
    damage: async (path) => void (await mkdir(join(path, 'blobs/sha256/a/b'), { recursive: true })),
    expected: ['added blobs/sha256/a/', 'added blobs/sha256/a/b/'],
  },
  'a program that became setuid': {
    damage: (path) => chmod(join(path, helm), 0o4755),
    expected: [`changed ${helm}`],
  },
  'a program that lost its mode': {
    damage: (path) => chmod(join(path, helm), 0o644),
    expected: [`changed ${helm}`],
  },
};

for (const [name, { damage, expected }] of Object.entries(damages)) {
  test(`verify names ${name}`, async (t) => {
    const path = await writeSample(t, openFolderSink);
    assert.deepEqual(await differences(t, path), []);

    await damage(path);

    assert.deepEqual(await differences(t, path), expected);
  });
}

test('a link in a bundle is refused: it leads out', async (t) => {
  const path = await writeSample(t, openFolderSink);
  await rm(join(path, helm));
  await symlink('/etc/hostname', join(path, helm));

  await assert.rejects(openBundleFiles(path, testRun(t)), { code: 'BUNDLE_PATH_UNSAFE' });
});

test('a changed byte in a tar is put down to its entry', async (t) => {
  const path = await writeSample(t, openTarSink);
  const bytes = await readFile(path);
  const at = bytes.indexOf('echo helm');
  await writeFile(path, bytes.with(at, 0x45));

  assert.deepEqual(await differences(t, path), [`changed ${helm}`]);
});

test('a tar cut anywhere is noticed, and never taken for whole', async (t) => {
  const path = await writeSample(t, openTarSink);
  const whole = await readFile(path);
  for (let length = whole.length - 1; length > 4096; length -= 997) {
    await writeFile(path, whole.subarray(0, length));

    const found = await differences(t, path).catch((error: { code: string }) => [error.code]);

    assert.notDeepEqual(found, [], `cut at ${length}`);
  }
});

test('a tar whose pax header claims a negative size ends with an error, not in a loop', async (t) => {
  const path = join(await tempDir(t), 'evil.tar');
  const record = '14 size=-1536\n';
  const pax = encodeHeader({ path: 'pax', size: record.length, mode: '0644' });
  pax.write('x', 156);
  const sum = pax.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  pax.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(512);
  body.write(record);
  await writeFile(
    path,
    Buffer.concat([
      pax,
      body,
      encodeHeader({ path: 'a', size: 0, mode: '0644' }),
      Buffer.alloc(1024),
    ]),
  );

  await assert.rejects(openBundleFiles(path, testRun(t)), { code: 'BUNDLE_NOT_A_BUNDLE' });
});

for (const [form, openSink] of Object.entries({ folder: openFolderSink, tar: openTarSink })) {
  test(`${form}: opening and verifying stop when the run is aborted, and say how far they are`, async (t) => {
    const path = await writeSample(t, openSink);
    const stopped = startRun({ signal: AbortSignal.abort(new Error('Ctrl-C')) });
    await assert.rejects(openBundleFiles(path, stopped), { message: 'Ctrl-C' });
    await assert.rejects(openBundle(path, stopped), { message: 'Ctrl-C' });
    const events: ProgressEvent[] = [];

    await using files = await openBundleFiles(path, testRun(t, events));

    const moved = events.filter((event) => event.kind === 'advance');
    assert.ok(moved.length > 10);
    if (form === 'tar') {
      const bytes = moved.reduce((sum, event) => sum + event.bytes, 0);
      assert.equal(bytes, (await readFile(path)).length);
    }
    await assert.rejects(examineBundle(files, stopped), { message: 'Ctrl-C' });
  });
}

test('what is neither file nor folder is no bundle, and nobody waits for it', async (t) => {
  const pipe = join(await tempDir(t), 'pipe');
  execFileSync('mkfifo', [pipe]);

  for (const path of [pipe, '/dev/null']) {
    await assert.rejects(openBundleFiles(path, testRun(t)), { code: 'BUNDLE_NOT_A_BUNDLE' });
  }
});

test('a folder that is no bundle is not walked', async (t) => {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'secret'));
  await chmod(join(folder, 'secret'), 0);
  const events: ProgressEvent[] = [];

  await assert.rejects(openBundleFiles(folder, testRun(t, events)), {
    code: 'BUNDLE_NOT_A_BUNDLE',
    message: /it has no slipway\/bundle\.json/,
  });

  assert.deepEqual(events, []);
});
