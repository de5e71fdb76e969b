/** The images of a layout as a source to copy from and a target to copy into. */
import type { Descriptor } from '../oci/descriptor.ts';
import { type Digest, isDigest } from '../oci/digest.ts';
import type { Run } from '../shared/run.ts';
import { bytesOf } from './byte-streams.ts';
import { ManifestNotFound } from './errors.ts';
import type {
  BlobFinder,
  BlobReader,
  BlobWriter,
  ImageSource,
  ImageTarget,
  ManifestContent,
} from './ports.ts';
import { readStoredManifest } from './stored-manifest.ts';

/** One repository's part of a layout. */
export interface LayoutRepository<Store> {
  /** For messages, such as `app.bundle: registry.k8s.io/pause`. */
  readonly label: string;
  readonly store: Store;
  /** Names in the layout → images. Changed by a target; the caller keeps it where it sees fit. */
  readonly index: Map<string, Descriptor>;
  /** Name in the layout of a tag: `(tag) => `registry.k8s.io/pause:${tag}``; by default the tag. */
  readonly nameOf?: (tag: string) => string;
}

/** Reads images by tag or digest; any manifest of the store can be had by digest. */
export function imageLayoutSource(
  repository: LayoutRepository<BlobReader & BlobFinder>,
): ImageSource {
  const { label, store } = repository;
  const fetchManifest = async (reference: string, run: Run): Promise<ManifestContent> => {
    const found = await readStoredManifest(store, ...lookUp(repository, reference), run);
    if (found === undefined) throw new ManifestNotFound({ side: 'source', label, reference });
    return { descriptor: found.descriptor, bytes: found.bytes };
  };
  return { label, fetchManifest, open: (blob, run, fromByte) => store.open(blob, run, fromByte) };
}

function lookUp(
  { index, nameOf = (tag) => tag, label }: LayoutRepository<unknown>,
  reference: string,
): [digest: Digest, mediaType: string | undefined] {
  if (isDigest(reference)) return [reference, undefined];
  const named = index.get(nameOf(reference));
  if (named === undefined) throw new ManifestNotFound({ side: 'source', label, reference });
  return [named.digest, named.mediaType];
}

/**
 * Takes images into the layout. All repositories of a layout share its blobs, so nothing has to be
 * mounted. A manifest without a tag is stored but not named: name it, or what names it, before
 * garbage is collected.
 */
export function imageLayoutTarget(
  repository: LayoutRepository<BlobFinder & BlobWriter>,
): ImageTarget {
  const { label, store, index, nameOf = (tag) => tag } = repository;
  return {
    label,
    find: (digest, run) => store.find(digest, run),
    put: (blob, bytes, run) => store.put(blob, bytes, run),
    findManifest: async (reference, run) => {
      const digest = isDigest(reference) ? reference : index.get(nameOf(reference))?.digest;
      if (digest === undefined) return undefined;
      return (await store.find(digest, run)) === undefined ? undefined : digest;
    },
    putManifest: async ({ descriptor, bytes }, tag, run) => {
      await store.put(descriptor, bytesOf(bytes), run);
      const { mediaType, digest, size } = descriptor;
      if (tag !== undefined) index.set(nameOf(tag), { mediaType, digest, size });
    },
  };
}
