/** Images held in memory behind the ports that a registry's repositories have, with a request log. */

import { bytesOf } from '../../src/content/byte-streams.ts';
import { imageLayoutSource } from '../../src/content/layout-images.ts';
import { MemoryStore } from '../../src/content/memory-store.ts';
import type { ResolvableSource } from '../../src/lock/image-reader.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import type { BuiltBlob, BuiltImage, BuiltIndex } from '../../src/oci/image-builder.ts';
import { startRun } from '../../src/shared/run.ts';

/** A repository in memory: `requests` holds `HEAD tag` and `GET digest` in order. */
export interface MemorySource extends ResolvableSource {
  readonly requests: string[];
  /** Puts an image under a tag; the tag may be moved. */
  push(tag: string, image: BuiltImage | BuiltIndex): Promise<void>;
}

/** An empty repository: `const pause = memorySource('registry.k8s.io/pause')`. */
export function memorySource(label: string): MemorySource {
  const store = new MemoryStore();
  const index = new Map<string, Descriptor>();
  const source = imageLayoutSource({ label, store, index });
  const requests: string[] = [];
  const put = async (blob: BuiltBlob) =>
    store.put(blob.descriptor, bytesOf(blob.bytes), startRun());
  return {
    label,
    requests,
    async push(tag, image) {
      const images = 'images' in image ? image.images : [image];
      for (const one of images) for (const blob of [one, ...one.blobs]) await put(blob);
      await put(image);
      const { mediaType, digest, size } = image.descriptor;
      index.set(tag, { mediaType, digest, size });
    },
    async resolve(reference, run) {
      requests.push(`HEAD ${reference}`);
      return (await source.fetchManifest(reference, run)).descriptor;
    },
    async fetchManifest(reference, run) {
      requests.push(`GET ${reference}`);
      return source.fetchManifest(reference, run);
    },
    async open(blob, run, fromByte) {
      requests.push(`GET ${blob.digest}`);
      return source.open(blob, run, fromByte);
    },
  };
}
