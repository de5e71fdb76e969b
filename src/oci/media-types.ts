/** The media types that Slipway tells apart. Everything else is carried unseen. */
export const MediaTypes = {
  ociIndex: 'application/vnd.oci.image.index.v1+json',
  ociManifest: 'application/vnd.oci.image.manifest.v1+json',
  ociConfig: 'application/vnd.oci.image.config.v1+json',
  ociLayer: 'application/vnd.oci.image.layer.v1.tar',
  ociLayerGzip: 'application/vnd.oci.image.layer.v1.tar+gzip',
  ociEmpty: 'application/vnd.oci.empty.v1+json',
  ociArtifactManifest: 'application/vnd.oci.artifact.manifest.v1+json',
  dockerList: 'application/vnd.docker.distribution.manifest.list.v2+json',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerConfig: 'application/vnd.docker.container.image.v1+json',
  dockerLayer: 'application/vnd.docker.image.rootfs.diff.tar',
  dockerLayerGzip: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  dockerSchema1: 'application/vnd.docker.distribution.manifest.v1+json',
  dockerSchema1Signed: 'application/vnd.docker.distribution.manifest.v1+prettyjws',
  helmConfig: 'application/vnd.cncf.helm.config.v1+json',
  helmChart: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  octets: 'application/octet-stream',
} as const;

const indexTypes: ReadonlySet<string> = new Set([MediaTypes.ociIndex, MediaTypes.dockerList]);
const imageConfigTypes: ReadonlySet<string> = new Set([
  MediaTypes.ociConfig,
  MediaTypes.dockerConfig,
]);
const schema1Types: ReadonlySet<string> = new Set([
  MediaTypes.dockerSchema1,
  MediaTypes.dockerSchema1Signed,
]);
const manifestTypes: ReadonlySet<string> = new Set([
  MediaTypes.ociManifest,
  MediaTypes.dockerManifest,
  MediaTypes.ociArtifactManifest,
]);

/** True for an OCI index and a Docker manifest list. */
export function isIndexType(mediaType: string): boolean {
  return indexTypes.has(mediaType);
}

/** True for what names config and layers (or blobs): OCI, Docker and artifact manifests. */
export function isManifestType(mediaType: string): boolean {
  return manifestTypes.has(mediaType);
}

/** True for the configuration of an image, OCI's or Docker's; other artefacts have other ones. */
export function isImageConfigType(mediaType: string): boolean {
  return imageConfigTypes.has(mediaType);
}

/** True for Docker's first manifest format, whose digest cannot be checked against its content. */
export function isSchema1Type(mediaType: string): boolean {
  return schema1Types.has(mediaType);
}

/** What a client says it can read when it asks for a manifest: all but schema 1. */
export const acceptedManifestTypes: readonly string[] = [
  MediaTypes.ociIndex,
  MediaTypes.dockerList,
  MediaTypes.ociManifest,
  MediaTypes.dockerManifest,
  MediaTypes.ociArtifactManifest,
];
