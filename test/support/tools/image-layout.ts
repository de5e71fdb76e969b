import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltBlob, BuiltImage, BuiltIndex } from '../../../src/oci/image-builder.ts';

/**
 * Writes one built image or index as an OCI image layout, which crane, skopeo and oras read.
 * Written here by hand and not by the product, so that a fault of the product cannot hide.
 */
export async function writeImageLayout(
  folder: string,
  content: BuiltImage | BuiltIndex,
): Promise<void> {
  await mkdir(join(folder, 'blobs', 'sha256'), { recursive: true });
  await Promise.all(allBlobs(content).map((blob) => writeBlob(folder, blob)));
  const { mediaType, digest, size } = content.descriptor;
  const index = { schemaVersion: 2, manifests: [{ mediaType, digest, size }] };
  await writeFile(join(folder, 'index.json'), JSON.stringify(index));
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
}

/** Every blob and manifest of a built image or index, inner ones first. */
export function allBlobs(content: BuiltImage | BuiltIndex): readonly BuiltBlob[] {
  if ('images' in content) return [...content.images.flatMap(allBlobs), content];
  return [...content.blobs, content];
}

async function writeBlob(folder: string, { descriptor, bytes }: BuiltBlob): Promise<void> {
  const [algorithm = '', hex = ''] = descriptor.digest.split(':');
  await writeFile(join(folder, 'blobs', algorithm, hex), bytes);
}
