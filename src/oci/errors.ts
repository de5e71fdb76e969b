import { defineError } from '../shared/errors.ts';
import type { Digest } from './digest.ts';

/** Where content came from, which only the reader of it knows; see content-place.ts. */
interface ContentPlace {
  /** `quay.io/a/b:1 (source)`, `sha256:… in the store`. */
  readonly where?: string;
}

/** A path that a ustar header cannot hold, or that would leave the folder it is unpacked in. */
export const LayerPathInvalid = defineError<{ path: string }>({
  code: 'LAYER_PATH_INVALID',
  category: 'input',
  message: (d) =>
    `the file ${d.path} cannot be put into a layer: its path is empty, absolute or has "." or ".." in it`,
  fix: () => 'Use a relative path without ".." in it.',
  retry: false,
});

/** A manifest over the limit that registries and clients agree on. */
export const ManifestTooLarge = defineError<
  { readonly sizeBytes: number; readonly limitBytes: number } & ContentPlace
>({
  code: 'MANIFEST_TOO_LARGE',
  category: 'remote',
  message: (d) =>
    `${d.where ?? 'a manifest'} has ${d.sizeBytes} bytes, the limit of a manifest is ${d.limitBytes}`,
  fix: () =>
    'No registry has to accept such a manifest. Move annotations or inline data into blobs and push the image again.',
  retry: false,
});

/** Docker's manifest format of 2014, whose digest cannot be checked against its content. */
export const ManifestSchema1Unsupported = defineError<
  { readonly mediaType: string } & ContentPlace
>({
  code: 'MANIFEST_SCHEMA1_UNSUPPORTED',
  category: 'remote',
  message: (d) =>
    `${d.where ?? 'the manifest'} is in Docker's schema 1 (${d.mediaType}), which no current runtime pulls`,
  fix: () =>
    'Pull the image with an old Docker and push it again, or ask its publisher for a current one: schema 2 exists since 2016.',
  retry: false,
});

/** Bytes that are no manifest, or one that two readers could understand differently. */
export const ManifestInvalid = defineError<{ readonly reason: string } & ContentPlace>({
  code: 'MANIFEST_INVALID',
  category: 'remote',
  message: (d) =>
    `${d.where === undefined ? '' : `${d.where} is `}not a valid manifest: ${d.reason}`,
  fix: () =>
    'Look at what the registry answers with `curl -i URL/v2/NAME/manifests/TAG`: a proxy or a login page may answer in its place. If it is the manifest itself, push the image again.',
  retry: false,
});

/** An image configuration that does not say what the image runs on. */
export const ImageConfigInvalid = defineError<{ readonly reason: string } & ContentPlace>({
  code: 'IMAGE_CONFIG_INVALID',
  category: 'remote',
  message: (d) =>
    `${d.where === undefined ? '' : `${d.where} is `}not a valid image configuration: ${d.reason}`,
  fix: () => 'Build the image again with a current tool; it must state os and architecture.',
  retry: false,
});

/** The `data` field of a descriptor does not hold the content that its digest and size name. */
export const DescriptorDataInvalid = defineError<{ digest: Digest; reason: string }>({
  code: 'DESCRIPTOR_DATA_INVALID',
  category: 'remote',
  message: (d) => `the content embedded for ${d.digest} is wrong: ${d.reason}`,
  fix: () => 'The manifest was altered or made by a faulty tool. Push the artefact again.',
  retry: false,
});

/** Text that is no image reference for the reference implementation. */
export const ReferenceInvalid = defineError<{ text: string; reason: string }>({
  code: 'REFERENCE_INVALID',
  category: 'input',
  message: (d) => `${JSON.stringify(d.text)} is not an image reference: ${d.reason}`,
  fix: () =>
    'Write [registry/]path[:tag][@digest]: the path in lower case, without http:// or docker://, for example registry.k8s.io/pause:3.9',
  retry: false,
});
