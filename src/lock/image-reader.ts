import { bytesOf, collectBytes } from '../content/byte-streams.ts';
import type { BlobStore, ImageSource, ManifestContent } from '../content/ports.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { isDigest } from '../oci/digest.ts';
import type { Run } from '../shared/run.ts';

/** A source that can say what a tag points to without sending it, as registries do by HEAD. */
export interface ResolvableSource extends ImageSource {
  resolve(reference: string, run: Run): Promise<Descriptor>;
}

/** Reads manifests and configs of one repository, each once: what the cache holds is not asked for. */
export interface ImageReader {
  readonly label: string;
  resolve(reference: string, run: Run): Promise<Descriptor>;
  /** The bytes behind a descriptor: a manifest, an index or a config, never a layer. */
  read(descriptor: Descriptor, kind: 'manifest' | 'config', run: Run): Promise<ManifestContent>;
}

/** Configs are small documents; anything larger is something else in a config's place. */
const maxConfigBytes = 8 * 1024 * 1024;

/**
 * A reader that keeps what it has read in `cache`, so that a plan that was killed goes on without
 * asking twice (promise P4). The store checks size and digest on the way in.
 */
export function cachedReader(source: ResolvableSource, cache: BlobStore): ImageReader {
  return {
    label: source.label,
    resolve: (reference, run) => source.resolve(reference, run),
    async read(descriptor, kind, run) {
      if ((await cache.find(descriptor.digest, run)) === undefined) {
        const bytes = await fetchFrom(source, descriptor, kind, run);
        await cache.put({ digest: descriptor.digest, size: bytes.length }, bytesOf(bytes), run);
      }
      const bytes = await collectBytes(await cache.open(descriptor, run));
      return { descriptor: { ...descriptor, size: bytes.length }, bytes };
    },
  };
}

async function fetchFrom(
  source: ResolvableSource,
  descriptor: Descriptor,
  kind: 'manifest' | 'config',
  run: Run,
): Promise<Uint8Array> {
  if (kind === 'manifest') return (await source.fetchManifest(descriptor.digest, run)).bytes;
  if (descriptor.size > maxConfigBytes) return new Uint8Array();
  return collectBytes(await source.open(descriptor, run));
}

/** The reference to ask a registry for: the digest if the name has one, else the tag. */
export function referenceToAsk(name: { readonly tag?: string; readonly digest?: string }): string {
  if (name.digest !== undefined && isDigest(name.digest)) return name.digest;
  return name.tag ?? 'latest';
}
