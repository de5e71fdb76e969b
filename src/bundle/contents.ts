import type { BlobRef } from '../oci/descriptor.ts';
import { type Digest, digestOf, splitDigest } from '../oci/digest.ts';
import type { Lock, LockedFile } from '../release/lock.ts';
import { blobsOfChart, blobsOfImage } from '../release/locked-blobs.ts';
import { canonicalJson, compareText } from '../shared/json.ts';
import {
  archiveOrder,
  type BundledFile,
  type BundleManifest,
  type BundlePurpose,
  bundleFormatVersion,
  bundlePaths,
} from './bundle-manifest.ts';
import { refuseUnsafePath } from './safe-path.ts';

/** A file of the bundle whose bytes are known from the Lock alone. */
interface WrittenEntry extends BundledFile {
  readonly kind: 'written';
  readonly bytes: Uint8Array;
}

/** A blob of an image or chart: a manifest, a config or a layer. */
interface BlobEntry extends BundledFile {
  readonly kind: 'blob';
}

/** A plain file of the Release. */
interface FileEntry extends BundledFile {
  readonly kind: 'file';
  readonly file: LockedFile;
}

export type BundleEntry = WrittenEntry | BlobEntry | FileEntry;

/** All that a bundle holds, in the order in which a `.tar` holds it; a pure function of its inputs. */
export interface BundleContents {
  readonly manifest: BundleManifest;
  /** Digest of the manifest's bytes: one name for all that the bundle holds. */
  readonly identity: Digest;
  readonly entries: readonly BundleEntry[];
}

/** What a bundle is made from besides the blobs themselves. */
export interface BundleRecipe {
  readonly lock: Lock;
  /** The Lock's exact bytes, as they go into the bundle. */
  readonly lockText: string;
  readonly matrixText?: string;
  readonly purpose: BundlePurpose;
  readonly toolVersion: string;
}

/**
 * Lists every file of the bundle with path, size, digest and mode, before a byte is fetched.
 *
 * Same recipe, same result (promise P9), in the order of {@link archiveOrder}.
 */
export function bundleContents(recipe: BundleRecipe): BundleContents {
  const blobs = lockedBlobs(recipe.lock).map(blobEntry);
  const files = recipe.lock.spec.files.map(fileEntry);
  const written = writtenEntries(recipe);
  const listed = [...written, ...files, ...blobs];
  const manifest = describe(recipe, listed);
  const own = writtenEntry(bundlePaths.manifest, `${canonicalJson(manifest, 1)}\n`);
  return { manifest, identity: own.digest, entries: archiveOrder([own, ...listed]) };
}

/** Every blob that the Lock's images and charts need, each once, by digest; foreign layers are not. */
export function lockedBlobs(lock: Lock): BlobRef[] {
  const byDigest = new Map<Digest, BlobRef>();
  for (const blob of [
    ...lock.spec.images.flatMap(blobsOfImage),
    ...lock.spec.charts.flatMap(blobsOfChart),
  ]) {
    byDigest.set(blob.digest, { digest: blob.digest, size: blob.size });
  }
  return [...byDigest.values()].sort((a, b) => compareText(a.digest, b.digest));
}

/** Where a blob lies in every OCI image layout: `blobs/sha256/ab…`. */
export function blobPath(digest: Digest): string {
  const { algorithm, hex } = splitDigest(digest);
  return `blobs/${algorithm}/${hex}`;
}

/** Where a plain file lies: `files/helm/v4.3.1/linux-amd64/helm`. Its parts were checked by the Lock. */
export function filePath(file: Pick<LockedFile, 'name' | 'version' | 'platform'>): string {
  const platform = (file.platform ?? 'any').replaceAll('/', '-');
  return `files/${file.name}/${file.version ?? 'unversioned'}/${platform}/${file.name}`;
}

function blobEntry(blob: BlobRef): BlobEntry {
  return { kind: 'blob', path: blobPath(blob.digest), ...blob, mode: '0644' };
}

function fileEntry(file: LockedFile): FileEntry {
  // The Lock's schema has checked the parts; what is written to a disk is worth a second look.
  refuseUnsafePath('the Lock', filePath(file));
  const { digest, size } = file.blob;
  return { kind: 'file', file, path: filePath(file), digest, size, mode: file.mode };
}

function writtenEntries(recipe: BundleRecipe): WrittenEntry[] {
  const entries = [
    writtenEntry(bundlePaths.lock, recipe.lockText),
    writtenEntry(bundlePaths.layout, '{"imageLayoutVersion":"1.0.0"}\n'),
    writtenEntry(bundlePaths.index, `${canonicalJson(layoutIndex(recipe.lock), 1)}\n`),
  ];
  if (recipe.matrixText !== undefined) {
    entries.push(writtenEntry(bundlePaths.matrix, recipe.matrixText));
  }
  return entries;
}

function writtenEntry(path: string, text: string): WrittenEntry {
  const bytes = Buffer.from(text, 'utf8');
  return {
    kind: 'written',
    path,
    bytes,
    size: bytes.length,
    digest: digestOf(bytes),
    mode: '0644',
  };
}

/** The image layout's index: one descriptor a name, so that skopeo, oras and crane find images by name. */
function layoutIndex(lock: Lock): unknown {
  const named = [
    ...lock.spec.images.map((image) => ({ name: image.name, blob: image.target })),
    ...lock.spec.charts.map((chart) => ({ name: chart.name, blob: chart.manifest })),
  ];
  named.sort((a, b) => compareText(a.name, b.name));
  return {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: named.map(({ name, blob }) => ({
      mediaType: blob.mediaType,
      digest: blob.digest,
      size: blob.size,
      annotations: { 'org.opencontainers.image.ref.name': name },
    })),
  };
}

function describe(recipe: BundleRecipe, listed: readonly BundleEntry[]): BundleManifest {
  const { lock } = recipe;
  const matrix = lock.spec.matrix;
  return {
    formatVersion: bundleFormatVersion,
    tool: { name: 'slipway', version: recipe.toolVersion },
    purpose: recipe.purpose,
    release: { name: lock.metadata.name, version: lock.metadata.version },
    lock: { path: bundlePaths.lock, digest: digestOf(recipe.lockText) },
    ...(matrix !== undefined && { matrix: { path: bundlePaths.matrix, ...matrix } }),
    files: listed
      .map(({ path, size, digest, mode }) => ({ path, size, digest, mode }))
      .sort((a, b) => compareText(a.path, b.path)),
  };
}
