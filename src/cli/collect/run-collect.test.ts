import assert from 'node:assert/strict';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { pushImage } from '../../../test/support/push-image.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleBundle } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { buildImage } from '../../oci/image-builder.ts';
import { tarLayer } from '../../oci/tar-layer.ts';

const imageOf = (content: string) => buildImage({ layers: [tarLayer([{ path: 'a', content }])] });
const collect = ['registry', 'gc', '--store', 'store'];

/** A registry of two images in the folder `store`, one of them deleted. */
async function registryWithGarbage(t: TestContext) {
  const folder = await tempDir(t);
  const store = join(folder, 'store');
  const registry = await startRegistry(t, { directory: store });
  const [kept, gone] = [imageOf('kept'), imageOf('gone')];
  await pushImage(registry.url, 'app', 'v1', kept);
  await pushImage(registry.url, 'app', 'v2', gone);
  const path = `/v2/app/manifests/${gone.descriptor.digest}`;
  await sendRequest(registry.url, { method: 'DELETE', path });
  return { folder, store, registry, kept };
}

/** Makes every blob two hours older. */
async function age(store: string): Promise<void> {
  const then = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const hex of await blobsIn(store))
    await utimes(join(store, 'blobs/sha256', hex), then, then);
}

function blobsIn(store: string): Promise<string[]> {
  return readdir(join(store, 'blobs/sha256'));
}

test('what was deleted is shown while the registry runs, and freed when it is stopped', async (t) => {
  const { folder, store, registry, kept } = await registryWithGarbage(t);
  await age(store);
  const before = await blobsIn(store);

  const dry = await runCli(folder, ...collect, '--dry-run');
  const locked = await runCli(folder, ...collect);
  const untouched = await blobsIn(store);
  await registry.stop();
  const real = await runCli(folder, ...collect);
  const again = await runCli(folder, ...collect);

  assert.match(dry.stdout, /can be freed: 3 blobs that no image needs; 3 blobs of images stay\n/);
  assert.match(dry.stdout, /\nnext: slipway registry gc --store store\n$/);
  assert.match(locked.stderr, /STORE_LOCKED/);
  assert.deepEqual(untouched.sort(), before.sort());
  assert.match(
    real.stdout,
    /^freed \S+ \w+: 3 blobs that no image needs; 3 blobs of images stay\n$/,
  );
  assert.match(again.stdout, /^nothing to free in store: 3 blobs of images stay\n$/);
  const needed = [kept, ...kept.blobs].map(({ descriptor }) => descriptor.digest.slice(7));
  assert.deepEqual((await blobsIn(store)).sort(), needed.sort());
});

test('what was pushed within the last hour waits', async (t) => {
  const { folder, store, registry } = await registryWithGarbage(t);
  await registry.stop();
  const before = await blobsIn(store);

  const { stdout } = await runCli(folder, ...collect);

  assert.match(
    stdout,
    /^nothing to free in store: .*\n {2}\d blobs pushed within the last hour wait/,
  );
  assert.deepEqual(await blobsIn(store), before);
});

test('a bundle, which has no repositories, and a folder that is not there lose and make nothing', async (t) => {
  const folder = await tempDir(t);
  await writeSampleBundle(folder, 'sample.bundle', sampleLock());
  await age(join(folder, 'sample.bundle'));
  const before = await blobsIn(join(folder, 'sample.bundle'));

  const bundle = await runCli(folder, 'registry', 'gc', '--store', 'sample.bundle');
  const missing = await runCli(folder, ...collect);

  assert.match(bundle.stderr, /it has no repositories.*LAYOUT_INVALID/s);
  assert.deepEqual(await blobsIn(join(folder, 'sample.bundle')), before);
  assert.match(missing.stderr, /LAYOUT_INVALID/);
  await assert.rejects(stat(join(folder, 'store')), { code: 'ENOENT' });
});
