/** What a manifest names, and what each of these is to it. */
import type { Descriptor } from './descriptor.ts';
import { digestOf, splitDigest } from './digest.ts';
import { DescriptorDataInvalid } from './errors.ts';
import type { Manifest } from './manifest.ts';

/**
 * - `manifest`: an image or index that an index lists
 * - `foreign-layer`: a layer that its publisher does not let others redistribute
 * - `subject`: the image that the manifest is about; it may be missing from the registry
 */
export type PartRole = 'config' | 'layer' | 'foreign-layer' | 'manifest' | 'subject';

/** One thing that a manifest names. */
export interface ManifestPart {
  readonly role: PartRole;
  readonly descriptor: Descriptor;
}

/** Everything that the manifest names, in its order: config, layers or manifests, subject last. */
export function partsOf(manifest: Manifest): readonly ManifestPart[] {
  const { subject } = manifest.content;
  const last: ManifestPart[] =
    subject === undefined ? [] : [{ role: 'subject', descriptor: subject }];
  return [...ownParts(manifest), ...last];
}

function ownParts(manifest: Manifest): ManifestPart[] {
  switch (manifest.kind) {
    case 'index':
      return manifest.content.manifests.map((descriptor) => ({ role: 'manifest', descriptor }));
    case 'artifact':
      return manifest.content.blobs.map(layerPart);
    case 'image':
      return [
        { role: 'config', descriptor: manifest.content.config },
        ...manifest.content.layers.map(layerPart),
      ];
  }
}

function layerPart(descriptor: Descriptor): ManifestPart {
  return { role: isForeignLayer(descriptor) ? 'foreign-layer' : 'layer', descriptor };
}

const foreignType =
  /^application\/vnd\.(?:oci\.image\.layer\.nondistributable\.v1|docker\.image\.rootfs\.foreign\.diff)\.tar(?:[.+](?:gzip|zstd))?$/;

/**
 * True for OCI's non-distributable and Docker's foreign layers, such as those of Windows base
 * images: a registry need not hold them, `urls` says where they are. An ordinary layer with `urls`
 * is not foreign.
 */
export function isForeignLayer(descriptor: Descriptor): boolean {
  return foreignType.test(descriptor.mediaType);
}

/**
 * The content that a descriptor carries in its `data` field, or undefined if it carries none.
 * Throws DESCRIPTOR_DATA_INVALID unless it is base64 of exactly the size and digest stated.
 * Source: https://github.com/opencontainers/image-spec/blob/main/descriptor.md#embedded-content
 */
export function inlineData(descriptor: Descriptor): Uint8Array | undefined {
  const { data, digest, size } = descriptor;
  if (data === undefined) return undefined;
  const bytes = Buffer.from(data, 'base64');
  const wrong = (reason: string) => new DescriptorDataInvalid({ digest, reason });
  // Buffer skips what is not base64, so encode it again to see whether it was all read.
  if (bytes.toString('base64') !== data) throw wrong('it is not base64');
  if (bytes.length !== size) throw wrong(`it has ${bytes.length} bytes, ${size} are stated`);
  const got = digestOf(bytes, splitDigest(digest).algorithm);
  if (got !== digest) throw wrong(`its digest is ${got}`);
  return bytes;
}

/**
 * What kind of artefact a manifest is: its own `artifactType`, else for an image the type of its
 * config. `undefined` for an index that does not say.
 * Source: https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export function artifactTypeOf(manifest: Manifest): string | undefined {
  const { artifactType } = manifest.content;
  if (artifactType !== undefined && artifactType !== '') return artifactType;
  return manifest.kind === 'image' ? manifest.content.config.mediaType : undefined;
}
