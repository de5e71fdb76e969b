import { buildImage } from '../../../../src/oci/image-builder.ts';
import { tarLayer } from '../../../../src/oci/tar-layer.ts';
import type { Content } from '../world/world.ts';

const names = ['manifest', 'config', 'layer'] as const;

/** An image with one layer, whose bytes no other id has. */
export function contentsOf(id: string): readonly Content[] {
  const image = buildImage({ layers: [tarLayer([{ path: 'id', content: id }])], config: {} });
  return [image, ...image.blobs].map(({ descriptor, bytes }, index) => ({
    what: names[index] ?? 'layer',
    digest: descriptor.digest,
    mediaType: descriptor.mediaType,
    base64: Buffer.from(bytes).toString('base64'),
  }));
}
