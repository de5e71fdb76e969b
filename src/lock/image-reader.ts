import { collectBytes, stoppable } from '../content/byte-streams.ts';
import type { ImageSource, ManifestContent } from '../content/ports.ts';
import { verifying } from '../content/verifying.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { isDigest } from '../oci/digest.ts';
import type { Run } from '../shared/run.ts';
import { ManifestUnusable } from './errors.ts';
import type { ManifestCache } from './ports.ts';

/** A source that can say what a tag points to without sending it, as registries do by HEAD. */
export interface ResolvableSource extends ImageSource {
  resolve(reference: string, run: Run): Promise<Descriptor>;
}

/** Reads manifests and configs of one repository, each once: what the cache holds is not asked for. */
export interface ImageReader {
  readonly label: string;
  /** What a name points to. `isKnown`: an earlier Lock may have all that is behind it. */
  resolve(reference: string, isKnown: boolean, run: Run): Promise<Descriptor>;
  /** The bytes behind a descriptor: a manifest, an index or a config, never a layer. */
  read(descriptor: Descriptor, kind: 'manifest' | 'config', run: Run): Promise<ManifestContent>;
}

/** Configs are small documents; anything larger is something else in a config's place. */
const maxConfigBytes = 8 * 1024 * 1024;

/**
 * A reader that keeps what it has read in `cache`, so that a plan that was killed goes on without
 * asking twice (promise P4). A manifest that can be known neither from an earlier Lock nor from the
 * cache is fetched by its name at once, instead of asking for its digest first.
 */
export function cachedReader(source: ResolvableSource, cache: ManifestCache): ImageReader {
  let inHand: ManifestContent | undefined;
  return {
    label: source.label,
    async resolve(reference, isKnown, run) {
      if (isKnown || !cache.isNew) return source.resolve(reference, run);
      inHand = await source.fetchManifest(reference, run);
      await cache.keep(inHand.descriptor.digest, inHand.bytes);
      return inHand.descriptor;
    },
    async read(descriptor, kind, run) {
      if (inHand?.descriptor.digest === descriptor.digest) return inHand;
      let bytes = await cache.find(descriptor.digest);
      if (bytes === undefined) {
        bytes = await fetchFrom(source, descriptor, kind, run);
        await cache.keep(descriptor.digest, bytes);
      }
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
  const { digest, size } = descriptor;
  if (size > maxConfigBytes) {
    const reason = `the config ${digest} would have ${size} bytes; at most ${maxConfigBytes} are read`;
    throw new ManifestUnusable({ label: source.label, reason });
  }
  const origin = { side: 'source', label: source.label } as const;
  const body = stoppable(await source.open(descriptor, run), run.signal);
  return collectBytes(verifying(descriptor, origin)(body));
}

/** The reference to ask a registry for: the digest if the name has one, else the tag. */
export function referenceToAsk(name: { readonly tag?: string; readonly digest?: string }): string {
  if (name.digest !== undefined && isDigest(name.digest)) return name.digest;
  return name.tag ?? 'latest';
}
