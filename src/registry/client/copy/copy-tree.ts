/** Brings what a manifest names to the target, children before parents. */
import type { ManifestContent } from '../../../content/ports.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { Digest } from '../../../oci/digest.ts';
import type { ImageIndex, Manifest } from '../../../oci/manifest.ts';
import { partsOf } from '../../../oci/manifest-parts.ts';
import { isIndexType, isManifestType } from '../../../oci/media-types.ts';
import { ensureBlob } from './copy-blob.ts';
import { type FetchedManifest, fetchListed } from './fetch-manifest.ts';
import { forAll, type ImageCopy } from './image-copy.ts';
import { rewriteIndex } from './rewrite-index.ts';
import { type ReadyManifest, storeManifest, targetState } from './store-manifest.ts';

/** Copies everything that `fetched` names, so that it may be put. */
export async function copyParts(copy: ImageCopy, fetched: FetchedManifest): Promise<ReadyManifest> {
  const { content, manifest } = fetched;
  if (manifest.kind === 'index') return copyIndexed(copy, content, manifest.content);
  await forAll(copy, blobsOf(copy, manifest), (blob) => ensureBlob(copy, blob));
  return { content };
}

/**
 * Copies one entry of an index with everything below it. Returns the descriptor that it has at the
 * target: another one only if an index had to be rewritten.
 */
function copyListed(copy: ImageCopy, listed: Descriptor): Promise<Descriptor> {
  const { memory, job } = copy;
  const key = `manifest ${job.target.label} ${listed.digest}`;
  return memory.questions.run(key, () => copyListedOnce(copy, listed));
}

async function copyListedOnce(copy: ImageCopy, listed: Descriptor): Promise<Descriptor> {
  const { memory, job, setting } = copy;
  const isIndex = isIndexType(listed.mediaType);
  if (!isIndex && !isManifestType(listed.mediaType)) {
    // BuildKit's cache lists layers in an index.
    await ensureBlob(copy, listed);
    return listed;
  }
  if (memory.holdsManifest(job.target.label, listed.digest)) return listed;
  const state = await targetState(copy, listed.digest, []);
  // An index that is there says nothing about its images: it may be sparse.
  const isWhole = state.hasDigest && !isIndex && setting.options.recheckBlobs !== true;
  if (!isWhole) {
    const ready = await copyParts(copy, await fetchListed(copy, listed));
    const stored = await storeManifest(copy, ready, state);
    if (isIndex) return stored;
  }
  memory.rememberManifest(job.target.label, listed.digest);
  return listed;
}

async function copyIndexed(
  copy: ImageCopy,
  content: ManifestContent,
  index: ImageIndex,
): Promise<ReadyManifest> {
  const entries = wantedOf(copy, index);
  const stored = await forAll(copy, entries, (entry) => copyListed(copy, entry));
  const present = new Map<Digest, Descriptor>(
    entries.map((descriptor, at) => [descriptor.digest, stored[at] ?? descriptor]),
  );
  const isChanged = [...present].some(([digest, now]) => digest !== now.digest);
  const leftOut = new Set(index.manifests.map(({ digest }) => digest)).size - entries.length;
  if (leftOut === 0 && !isChanged) return { content };
  const rewritten = rewriteIndex(content, index, present);
  if (!isChanged) return { content, sparse: { leftOut, rewritten } };
  // A nested index has another digest now, so this one needs another one too.
  const { digest } = content.descriptor;
  copy.tally.rewrites.push({ from: digest, to: rewritten.descriptor.digest });
  return { content: rewritten };
}

/** The entries of an index that the job wants, each digest once. */
function wantedOf({ job: { manifests } }: ImageCopy, index: ImageIndex): readonly Descriptor[] {
  const all = new Map(index.manifests.map((one) => [one.digest, one]));
  return [...all.values()].filter(({ digest }) => manifests?.has(digest) ?? true);
}

/** What an image or artefact needs beside it, each blob once; foreign layers are left out. */
function blobsOf(copy: ImageCopy, manifest: Manifest): readonly Descriptor[] {
  const blobs = new Map<Digest, Descriptor>();
  for (const { role, descriptor } of partsOf(manifest)) {
    if (role === 'foreign-layer') copy.tally.leaveOut(descriptor);
    else if (role !== 'subject') blobs.set(descriptor.digest, descriptor);
  }
  return [...blobs.values()];
}
