import type { Digest } from '../oci/digest.ts';
import { pullReference, type Reference } from '../oci/reference.ts';
import type { LockedBlob, LockedPlatform } from '../release/lock.ts';
import type { RequiredImage } from './required-images.ts';

/**
 * One thing that a runtime wants from its endpoints when it pulls an image.
 *
 * - `resolve`: what does the name point to? Asked by tag, and by digest.
 * - `manifest`: the bytes of an index or a manifest.
 * - `blob`: the bytes of a config or a layer.
 */
export type Operation =
  | {
      readonly kind: 'resolve';
      readonly reference: Reference;
      readonly want: Digest;
      /** What is wanted, with its type; the digest counts only through `want`. */
      readonly blob: LockedBlob;
      readonly hasSize: boolean;
      readonly what: 'target' | 'manifest';
    }
  | {
      readonly kind: 'manifest';
      readonly blob: LockedBlob;
      /** `size` is unknown for an index that was rewritten for this registry. */
      readonly hasSize: boolean;
      readonly what: 'index' | 'manifest';
      /** Of an index, one of these must be in it; a manifest must name all of them and nothing else. */
      readonly names: readonly LockedBlob[];
    }
  | { readonly kind: 'blob'; readonly blob: LockedBlob; readonly what: 'config' | 'layer' };

/** An operation on a blob. */
export type BlobOperation = Extract<Operation, { kind: 'blob' }>;

/** The operations for one image on one platform. */
export interface ImageOperations {
  /** In this order, each only if the one before it went well. */
  readonly inOrder: readonly Operation[];
  /** Afterwards, in any order. */
  readonly blobs: readonly BlobOperation[];
}

/**
 * What a runtime does to pull an image for one platform: it resolves the name (the tag, then the
 * digests behind it, as a pod may ask for either), fetches index and manifest, then config and layers.
 *
 * `rewritten` maps digests of the Lock to those of indexes that were rewritten for a registry
 * without sparse indexes (promise P1). Foreign layers are asked for like others.
 */
export function operationsFor(
  { reference, locked }: RequiredImage,
  platform: LockedPlatform,
  rewritten: ReadonlyMap<string, Digest>,
): ImageOperations {
  const target = rewrite(locked.target, rewritten);
  const indexes = (locked.indexes ?? []).map((index) => rewrite(index, rewritten));
  const isIndex = platform.manifest.digest !== locked.target.digest;
  const name = pullReference(reference);
  const byDigest = (digest: Digest): Reference => ({ ...repositoryOf(name), digest });
  const { manifest, config, layers, foreignLayers = [] } = platform;
  const parts = [config, ...layers, ...foreignLayers];
  const inIndex = [...indexes.map(({ blob }) => blob), manifest];
  const wanted = { ...target, want: target.blob.digest, what: 'target' as const };
  const inOrder: Operation[] = [{ kind: 'resolve', reference: name, ...wanted }];
  if (name.digest === undefined) {
    inOrder.push({ kind: 'resolve', reference: byDigest(wanted.want), ...wanted });
  }
  const first = isIndex
    ? ({ what: 'index', names: inIndex } as const)
    : ({ what: 'manifest', names: parts } as const);
  inOrder.push({ kind: 'manifest', ...target, ...first });
  for (const index of indexes) {
    inOrder.push({ kind: 'manifest', ...index, what: 'index', names: inIndex });
  }
  if (isIndex) {
    const want = manifest.digest;
    const itself = { blob: manifest, hasSize: true, what: 'manifest' } as const;
    inOrder.push(
      { kind: 'manifest', ...itself, names: parts },
      { kind: 'resolve', reference: byDigest(want), want, ...itself },
    );
  }
  return {
    inOrder,
    blobs: [
      { kind: 'blob', blob: config, what: 'config' },
      ...[...layers, ...foreignLayers].map(
        ({ digest, size, mediaType }): BlobOperation => ({
          kind: 'blob',
          blob: { digest, size, mediaType },
          what: 'layer',
        }),
      ),
    ],
  };
}

function repositoryOf({ domain, path }: Reference): Pick<Reference, 'domain' | 'path'> {
  return { domain, path };
}

function rewrite(blob: LockedBlob, rewritten: ReadonlyMap<string, Digest>) {
  const digest = rewritten.get(blob.digest);
  return digest === undefined
    ? { blob, hasSize: true }
    : { blob: { ...blob, digest }, hasSize: false };
}
