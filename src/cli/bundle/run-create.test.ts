import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { digestOf } from '../../oci/digest.ts';
import type { Lock, LockedImage } from '../../release/lock.ts';
import { formatLock } from '../../release/lock-document.ts';

/** A folder with the sample's Lock, all of it at names that no name server knows. */
async function lockFolder(t: TestContext, changes: Partial<Lock['spec']> = {}) {
  const folder = await tempDir(t);
  const { lock } = sampleLock();
  const images = lock.spec.images.map((image, index) => elsewhere(image, `host-${index}.invalid`));
  const totals = { ...lock.spec.totals, images: images.length, charts: 0, files: 0 };
  const spec = { ...lock.spec, images, charts: [], files: [], totals, ...changes };
  await writeFile(join(folder, 'shop.lock.yaml'), formatLock({ ...lock, spec }));
  return folder;
}

function elsewhere(image: LockedImage, registry: string): LockedImage {
  return { ...image, source: { ...image.source, registry } };
}

const madeFrom = { release: digestOf('release'), policy: digestOf('policy') };

test('without the policy that the Lock was made with, the failure says so first; every host is named', async (t) => {
  const folder = await lockFolder(t, { madeFrom });

  const { exitCode, stderr } = await runCli(folder, 'bundle', 'create', 'shop.lock.yaml');

  assert.equal(exitCode, 69);
  assert.match(
    stderr,
    /\d+ entries of the bundle could not be fetched, without the SourcePolicy that the Lock was made with\n/,
  );
  assert.match(stderr, /host-0\.invalid \(source\) cannot be reached[\s\S]*for +cr\.openfuyao/);
  assert.match(stderr, /host-1\.invalid \(source\) cannot be reached[\s\S]*for +registry\.k8s/);
  assert.match(stderr, /\n +do +Give the policy,[\s\S]*--policy\s+policy\.yaml/);
});

test('a Lock that was made without a policy has no word about one', async (t) => {
  const folder = await lockFolder(t);

  const { stderr } = await runCli(folder, 'bundle', 'create', 'shop.lock.yaml');

  assert.match(stderr, /entries of the bundle could not be fetched\n/);
  assert.doesNotMatch(stderr, /without the SourcePolicy|--policy/);
  assert.doesNotMatch(stderr, /for {2}.*app:v1.*app:v1/);
});

test('an ending that promises a compressed archive is refused, and nothing is made', async (t) => {
  const folder = await lockFolder(t);

  for (const output of ['x.tgz', 'x.tar.gz', 'x.zip', 'X.TAR.ZST']) {
    const created = await runCli(folder, 'bundle', 'create', 'shop.lock.yaml', '-o', output);
    assert.equal(created.exitCode, 64, output);
    assert.match(
      created.stderr,
      /--output makes a folder or a \.tar, no \.[\s\S]*OPTION_VALUE_INVALID/,
    );
  }
  assert.deepEqual(await readdir(folder), ['shop.lock.yaml']);
});

test('what may not be given to others is refused with the reason and the way to its place', async (t) => {
  const { lock } = sampleLock();
  const [image, ...others] = lock.spec.images;
  assert.ok(image);
  const because = 'its licence is not stated';
  const kept = { ...image, redistribution: 'review' as const, redistributionBecause: because };
  const folder = await lockFolder(t, { images: [kept, ...others] });

  const { exitCode, stderr } = await runCli(folder, 'bundle', 'create', 'shop.lock.yaml');

  assert.equal(exitCode, 78);
  assert.match(stderr, /\n {2}cr\.openfuyao\.cn\/openfuyao\/app:v1: its licence is not stated/);
  assert.match(stderr, /slipway why\s+cr\.openfuyao\.cn\/openfuyao\/app:v1/);
});

test('an unfinished bundle is no bundle, under its own name too', async (t) => {
  for (const output of ['b0', 'b0.tar']) {
    const folder = await lockFolder(t);
    await runCli(folder, 'bundle', 'create', 'shop.lock.yaml', '-o', output);
    for (const command of ['inspect', 'verify']) {
      const { exitCode, stderr } = await runCli(folder, 'bundle', command, `${output}.partial`);
      assert.equal(exitCode, 65);
      assert.match(stderr, /b0(\.tar)? is not finished[\s\S]*BUNDLE_INCOMPLETE/);
    }
  }
});
