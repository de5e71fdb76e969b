import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { pushImage } from '../../../test/support/push-image.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { buildImage } from '../../oci/image-builder.ts';
import { tarLayer } from '../../oci/tar-layer.ts';

const image = buildImage({ layers: [tarLayer([{ path: 'hello', content: 'hi' }])] });
const stores: ReadonlyArray<readonly [string, (t: TestContext) => Promise<string | undefined>]> = [
  ['memory', async () => undefined],
  ['a folder', tempDir],
];

for (const [where, directoryFor] of stores) {
  test(`an image pushed into ${where} comes back byte for byte`, async (t) => {
    const directory = await directoryFor(t);
    const registry = await startRegistry(t, directory === undefined ? {} : { directory });

    await pushImage(registry.url, 'library/app', 'v1', image);

    const manifest = await fetch(`${registry.url}/v2/library/app/manifests/v1`);
    assert.equal(manifest.headers.get('content-type'), image.descriptor.mediaType);
    assert.equal(manifest.headers.get('docker-content-digest'), image.descriptor.digest);
    assert.deepEqual(Buffer.from(await manifest.arrayBuffer()), Buffer.from(image.bytes));
    for (const { descriptor, bytes } of image.blobs) {
      const blob = await fetch(`${registry.url}/v2/library/app/blobs/${descriptor.digest}`);
      assert.deepEqual(Buffer.from(await blob.arrayBuffer()), Buffer.from(bytes));
    }
  });
}
