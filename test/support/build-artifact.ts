/** Artefacts that are no images: signatures, bills of materials. */
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { digestOf } from '../../src/oci/digest.ts';
import type { BuiltBlob, BuiltImage } from '../../src/oci/image-builder.ts';
import { MediaTypes } from '../../src/oci/media-types.ts';
import { canonicalJson } from '../../src/shared/json.ts';

/** What {@link buildArtifact} needs. */
export interface ArtifactPlan {
  readonly artifactType: string;
  readonly layers: ReadonlyArray<{ readonly mediaType: string; readonly bytes: Uint8Array }>;
  /** The image that this artefact is about. */
  readonly subject?: Descriptor;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An OCI artefact with the empty config of the specification, as `oras push` writes it. */
export function buildArtifact(plan: ArtifactPlan): BuiltImage {
  const { artifactType, subject, annotations } = plan;
  const config = blob(MediaTypes.ociEmpty, Buffer.from('{}'));
  const layers = plan.layers.map(({ mediaType, bytes }) => blob(mediaType, bytes));
  const mediaType = MediaTypes.ociManifest;
  const manifest = {
    schemaVersion: 2,
    mediaType,
    artifactType,
    config: config.descriptor,
    layers: layers.map(({ descriptor }) => descriptor),
    subject,
    annotations,
  };
  const built = blob(mediaType, Buffer.from(canonicalJson(manifest)));
  return {
    descriptor: { ...built.descriptor, artifactType },
    bytes: built.bytes,
    blobs: [config, ...layers],
  };
}

function blob(mediaType: string, bytes: Uint8Array): BuiltBlob {
  return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, bytes };
}
