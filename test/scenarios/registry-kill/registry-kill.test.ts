/**
 * The embedded registry is killed again and again while clients push; whatever it said it had taken
 * is there afterwards, whole, and no tag leads to something that is not.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { digestOf } from '../../../src/oci/digest.ts';
import { type BuiltImage, buildImage } from '../../../src/oci/image-builder.ts';
import { pushImage } from '../../support/push-image.ts';
import { sendRequest } from '../../support/send-request.ts';
import { serveFolder } from '../../support/served-folder/serve-folder.ts';
import { startRegistry } from '../../support/start-registry.ts';
import { tempDir } from '../../support/temp-dir.ts';

const kills = 5;
const pushers = 4;

/** A different image each time, up to half a MiB, from numbers that are the same in every run. */
function imageOf(number: number): BuiltImage {
  const layer = Buffer.alloc(1 + ((number * 7919) % 500_000), digestOf(String(number)));
  return buildImage({ layers: [layer] });
}

test('nothing that the registry took is lost when it is killed', async (t) => {
  const folder = await tempDir(t);
  const taken = new Map<string, BuiltImage>();
  let next = 0;

  for (let round = 0; round < kills; round += 1) {
    const [child, url] = await serveFolder(t, folder);
    const push = async () => {
      for (;;) {
        const [tag, image] = [`t${next}`, imageOf(next)];
        next += 1;
        await pushImage(url, 'team/app', tag, image);
        taken.set(tag, image);
      }
    };
    const pushing = Array.from({ length: pushers }, () => push().catch(() => {}));
    await wait(200 + round * 97);
    await child.kill();
    await Promise.all(pushing);
  }

  const { url } = await startRegistry(t, { directory: folder });
  assert.ok(taken.size >= kills, `only ${taken.size} images were pushed`);
  const { tags } = (await sendRequest(url, { path: '/v2/team/app/tags/list' })).json() as {
    tags: string[]; // the specification's form
  };
  for (const tag of [...taken.keys()]) assert.ok(tags.includes(tag), `${tag} is lost`);
  for (const tag of tags) await assertWhole(url, tag, imageOf(Number(tag.slice(1))));
});

async function assertWhole(url: string, tag: string, image: BuiltImage): Promise<void> {
  const manifest = await sendRequest(url, { path: `/v2/team/app/manifests/${tag}` });
  assert.deepEqual(manifest.bytes, Buffer.from(image.bytes), `the manifest of ${tag}`);
  for (const { descriptor, bytes } of image.blobs) {
    const blob = await sendRequest(url, { path: `/v2/team/app/blobs/${descriptor.digest}` });
    assert.ok(blob.bytes.equals(bytes), `${descriptor.digest} of ${tag}`);
  }
}
