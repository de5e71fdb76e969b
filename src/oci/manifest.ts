/** Manifests as they come from registries and layouts: three kinds behind one parser. */
import { z } from 'zod';
import { Descriptor } from './descriptor.ts';
import { ManifestInvalid, ManifestSchema1Unsupported, ManifestTooLarge } from './errors.ts';
import { type GoContent, type GoDescriptor, readGoContent } from './go-json/image-documents.ts';
import { GoJsonError } from './go-json/tree.ts';
import { parseObject } from './json-object.ts';
import { inlineData, partsOf } from './manifest-parts.ts';
import { isIndexType, isManifestType, isSchema1Type, MediaTypes } from './media-types.ts';

/** What registries must accept and clients should refuse to exceed: 4 MiB. */
export const maxManifestBytes = 4 * 1024 * 1024;

// Go writes an empty list as null.
const descriptors = z.preprocess((list) => list ?? [], z.array(Descriptor));
const common = {
  mediaType: z.string().optional(),
  artifactType: z.string().optional(),
  subject: Descriptor.optional(),
  annotations: z.record(z.string(), z.string()).optional(),
};

/** https://github.com/opencontainers/image-spec/blob/main/image-index.md, also Docker's list. */
const ImageIndex = z.looseObject({
  ...common,
  schemaVersion: z.literal(2),
  manifests: descriptors,
});
export type ImageIndex = z.infer<typeof ImageIndex>;

/** https://github.com/opencontainers/image-spec/blob/main/manifest.md, also Docker's schema 2. */
const ImageManifest = z.looseObject({
  ...common,
  schemaVersion: z.literal(2),
  config: Descriptor,
  layers: descriptors,
});
export type ImageManifest = z.infer<typeof ImageManifest>;

/** The artifact manifest of OCI 1.1 release candidates: withdrawn, but still found in registries. */
const ArtifactManifest = z.looseObject({ ...common, blobs: descriptors });
export type ArtifactManifest = z.infer<typeof ArtifactManifest>;

/** A parsed manifest; `mediaType` is the one to store it under. */
export type Manifest =
  | { readonly kind: 'index'; readonly mediaType: string; readonly content: ImageIndex }
  | { readonly kind: 'image'; readonly mediaType: string; readonly content: ImageManifest }
  | { readonly kind: 'artifact'; readonly mediaType: string; readonly content: ArtifactManifest };

/**
 * Reads the exact bytes of a manifest. `declared` is the Content-Type or the descriptor's type.
 *
 * The type is what the manifest says, else what was declared, else what its shape is; two known
 * types that contradict each other, `manifests` beside `layers`, a field written twice, or a `data`
 * field with other content than its digest names are refused, since two readers could see two images
 * behind one digest. So is an image or an index that Go, and with it every runtime, reads otherwise.
 *
 * Throws MANIFEST_TOO_LARGE, MANIFEST_SCHEMA1_UNSUPPORTED, MANIFEST_INVALID, DESCRIPTOR_DATA_INVALID.
 * Source: https://github.com/opencontainers/image-spec/security/advisories/GHSA-77vh-xpmg-72qh
 */
export function parseManifest(bytes: Uint8Array, declared?: string): Manifest {
  if (bytes.length > maxManifestBytes) {
    throw new ManifestTooLarge({ sizeBytes: bytes.length, limitBytes: maxManifestBytes });
  }
  const fields = parseObject(bytes, (reason, cause) => new ManifestInvalid({ reason }, { cause }));
  const mediaType = typeOf(fields, declared);
  refuseMixedShape(fields);
  const manifest = manifestOf(fields, mediaType);
  // Who takes the embedded content and who fetches it must get the same.
  for (const { descriptor } of partsOf(manifest)) inlineData(descriptor);
  if (manifest.kind !== 'artifact') refuseOtherReading(bytes, manifest);
  return manifest;
}

function manifestOf(fields: Fields, mediaType: string): Manifest {
  if (isIndexType(mediaType)) {
    return { kind: 'index', mediaType, content: check(ImageIndex, fields, mediaType) };
  }
  if (mediaType === MediaTypes.ociArtifactManifest) {
    return { kind: 'artifact', mediaType, content: check(ArtifactManifest, fields, mediaType) };
  }
  return { kind: 'image', mediaType, content: check(ImageManifest, fields, mediaType) };
}

/** Go minds no letter case in fields, at any depth: `Digest` beside `digest` may be another layer. */
function refuseOtherReading(bytes: Uint8Array, manifest: Manifest): void {
  const read = readAsGo(bytes, manifest.kind === 'index' ? 'index' : 'manifest');
  const theirs = read.kind === 'index' ? read.manifests : [read.config, ...read.layers];
  const ours = partsOf(manifest).filter(({ role }) => role !== 'subject');
  const isSame =
    ours.length === theirs.length &&
    ours.every(({ descriptor }, at) => isSameContent(descriptor, theirs[at]));
  if (!isSame) throw invalid('container runtimes read other content in it than it seems to have');
}

function isSameContent(ours: Descriptor, theirs: GoDescriptor | undefined): boolean {
  return (
    ours.digest === theirs?.digest &&
    ours.mediaType === theirs.mediaType &&
    BigInt(ours.size) === theirs.size
  );
}

function readAsGo(bytes: Uint8Array, kind: GoContent['kind']): GoContent {
  try {
    return readGoContent(bytes, kind);
  } catch (error) {
    if (!(error instanceof GoJsonError)) throw error;
    throw invalid(`container runtimes cannot read it: ${error.message}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function typeOf(fields: Fields, declared: string | undefined): string {
  const written = typeof fields['mediaType'] === 'string' ? fields['mediaType'] : '';
  const header = declared?.split(';')[0]?.trim() ?? '';
  const schema1 = [written, header].find(isSchema1Type);
  if (schema1 !== undefined || fields['schemaVersion'] === 1) {
    throw new ManifestSchema1Unsupported({ mediaType: schema1 ?? MediaTypes.dockerSchema1 });
  }
  const known = [written, header].filter((type) => isIndexType(type) || isManifestType(type));
  if (known.length === 2 && written !== header) {
    throw invalid(`it says it is ${written}, but it was sent as ${header}`);
  }
  // An unknown type in the manifest itself must not be guessed away; an odd header may be.
  if (written !== '' && !known.includes(written)) throw invalid(`its type ${written} is unknown`);
  return known[0] ?? typeOfShape(fields);
}

function typeOfShape(fields: Fields): string {
  if ('manifests' in fields) return MediaTypes.ociIndex;
  if ('layers' in fields && 'config' in fields) return MediaTypes.ociManifest;
  throw invalid('it has neither a known type nor the fields of an image or an index');
}

function refuseMixedShape(fields: Fields): void {
  const shapes = ['manifests', 'layers', 'blobs', 'fsLayers'].filter((key) => key in fields);
  if (shapes.length > 1) throw invalid(`it has ${shapes.join(' and ')} at the same time`);
  if ('manifests' in fields && 'config' in fields) {
    throw invalid('it has manifests and config at the same time');
  }
}

const listOf: Readonly<Record<string, string>> = {
  [MediaTypes.ociIndex]: 'manifests',
  [MediaTypes.dockerList]: 'manifests',
  [MediaTypes.ociArtifactManifest]: 'blobs',
};

function check<T>(schema: z.ZodType<T>, fields: Fields, mediaType: string): T {
  const list = listOf[mediaType] ?? 'layers';
  const others = ['manifests', 'layers', 'blobs'].filter((key) => key !== list && key in fields);
  if (others.length > 0) throw invalid(`${others[0]} does not belong into ${mediaType}`);
  // Artifact manifests may leave their list out, the other two may not.
  if (list !== 'blobs' && !(list in fields)) throw invalid(`${list} is missing`);
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`${issue?.path.join('.') || 'it'}: ${issue?.message}`);
}

function invalid(reason: string): Error {
  return new ManifestInvalid({ reason });
}
