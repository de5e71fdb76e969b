/** Puts built images into a registry over HTTP, by the simplest requests of the protocol. */
import assert from 'node:assert/strict';
import type { BuiltBlob, BuiltImage, BuiltIndex } from '../../src/oci/image-builder.ts';

/** Pushes one blob whole; `url` is the registry's, such as `http://127.0.0.1:5000`. */
export async function pushBlob(url: string, repository: string, blob: BuiltBlob): Promise<void> {
  const query = new URLSearchParams({ digest: blob.descriptor.digest });
  const answer = await fetch(`${url}/v2/${repository}/blobs/uploads/?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(blob.bytes),
  });
  assert.equal(answer.status, 201, await answer.text());
}

/** Pushes a manifest under a tag or its digest. */
export async function pushManifest(
  url: string,
  repository: string,
  reference: string,
  manifest: BuiltBlob,
): Promise<void> {
  const answer = await fetch(`${url}/v2/${repository}/manifests/${reference}`, {
    method: 'PUT',
    headers: { 'content-type': manifest.descriptor.mediaType },
    body: Buffer.from(manifest.bytes),
  });
  assert.equal(answer.status, 201, await answer.text());
}

/** Pushes an image or an index with everything below it, the tag last. */
export async function pushImage(
  url: string,
  repository: string,
  reference: string,
  image: BuiltImage | BuiltIndex,
): Promise<void> {
  const images = 'images' in image ? image.images : [image];
  for (const one of images) {
    for (const blob of one.blobs) await pushBlob(url, repository, blob);
    if (one !== image) await pushManifest(url, repository, one.descriptor.digest, one);
  }
  await pushManifest(url, repository, reference, image);
}
