/** Builds images, indexes and charts in memory: for the quickstart and for tests. */
import { canonicalJson } from '../shared/json.ts';
import type { Descriptor } from './descriptor.ts';
import { type Digest, digestOf } from './digest.ts';
import { MediaTypes } from './media-types.ts';
import type { Platform } from './platform.ts';
import { gzipLayer, type LayerFile, tarLayer } from './tar-layer.ts';

/** Bytes with the descriptor that names them. */
export interface BuiltBlob {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

/** A manifest with the blobs it names: the config first, then the layers in order. */
export interface BuiltImage extends BuiltBlob {
  readonly blobs: readonly BuiltBlob[];
}

/** An index with its images; push their blobs, then the images, then this. */
export interface BuiltIndex extends BuiltBlob {
  readonly images: readonly BuiltImage[];
}

/** Which family of media types to write. */
export type Flavour = 'oci' | 'docker';

/** What {@link buildImage} needs; everything not given has a fixed value. */
export interface ImagePlan {
  /** Uncompressed tar archives, lowest first: {@link tarLayer} makes them. */
  readonly layers: readonly Uint8Array[];
  /** linux/amd64 unless given. */
  readonly platform?: Platform;
  /** oci unless given. */
  readonly flavour?: Flavour;
  /** Stores the layers gzipped. */
  readonly gzip?: boolean;
  /** The `config` part of the image configuration, such as `{ Cmd: ['/app'] }`. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly subject?: Descriptor;
}

const types = {
  oci: {
    index: MediaTypes.ociIndex,
    manifest: MediaTypes.ociManifest,
    config: MediaTypes.ociConfig,
    layer: MediaTypes.ociLayer,
    layerGzip: MediaTypes.ociLayerGzip,
  },
  docker: {
    index: MediaTypes.dockerList,
    manifest: MediaTypes.dockerManifest,
    config: MediaTypes.dockerConfig,
    layer: MediaTypes.dockerLayer,
    layerGzip: MediaTypes.dockerLayerGzip,
  },
} as const;

/**
 * One image for one platform. Same plan, same bytes: dates are 1970 and keys are sorted.
 * `buildImage({ layers: [tarLayer([{ path: 'hello', content: 'hi' }])] })` → manifest, config, layer.
 */
export function buildImage(plan: ImagePlan): BuiltImage {
  const type = types[plan.flavour ?? 'oci'];
  const platform = plan.platform ?? { os: 'linux', architecture: 'amd64' };
  const layers = plan.layers.map((tar) =>
    plan.gzip === true ? blob(type.layerGzip, gzipLayer(tar)) : blob(type.layer, tar),
  );
  const config = jsonBlob(type.config, {
    ...platform,
    created: '1970-01-01T00:00:00Z',
    config: plan.config ?? {},
    rootfs: { type: 'layers', diff_ids: plan.layers.map((tar): Digest => digestOf(tar)) },
    history: plan.layers.map(() => ({ created: '1970-01-01T00:00:00Z', created_by: 'slipway' })),
  });
  const image = assemble(type.manifest, [config, ...layers], plan);
  return { ...image, descriptor: { ...image.descriptor, platform } };
}

/** An index (or Docker manifest list) over images, in the given order. */
export function buildIndex(
  images: readonly BuiltImage[],
  options: { flavour?: Flavour; annotations?: Readonly<Record<string, string>> } = {},
): BuiltIndex {
  const mediaType = types[options.flavour ?? 'oci'].index;
  const manifests = images.map((image) => image.descriptor);
  const { annotations } = options;
  return {
    ...jsonBlob(mediaType, { schemaVersion: 2, mediaType, manifests, annotations }),
    images,
  };
}

/** What {@link buildChart} needs; `Chart.yaml` is written unless it is among the files. */
export interface ChartPlan {
  readonly name: string;
  readonly version: string;
  /** Paths inside the chart, such as `templates/pod.yaml`. */
  readonly files?: readonly LayerFile[];
}

/** A Helm chart as the OCI artefact that `helm push` makes: a config and one gzipped archive. */
export function buildChart(plan: ChartPlan): BuiltImage {
  const meta = { apiVersion: 'v2', name: plan.name, version: plan.version, type: 'application' };
  const files = [...(plan.files ?? [])];
  if (!files.some((file) => file.path === 'Chart.yaml')) {
    const lines = Object.entries(meta).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
    files.push({ path: 'Chart.yaml', content: lines.join('') });
  }
  const archive = tarLayer(files.map((file) => ({ ...file, path: `${plan.name}/${file.path}` })));
  const config = jsonBlob(MediaTypes.helmConfig, meta);
  return assemble(
    MediaTypes.ociManifest,
    [config, blob(MediaTypes.helmChart, gzipLayer(archive))],
    {},
  );
}

interface ManifestExtras {
  readonly subject?: Descriptor;
  readonly annotations?: Readonly<Record<string, string>>;
}

function assemble(
  mediaType: string,
  blobs: readonly [config: BuiltBlob, ...layers: BuiltBlob[]],
  extras: ManifestExtras,
): BuiltImage {
  const [config, ...layers] = blobs;
  const manifest = jsonBlob(mediaType, {
    schemaVersion: 2,
    mediaType,
    config: config.descriptor,
    layers: layers.map((layer) => layer.descriptor),
    subject: extras.subject,
    annotations: extras.annotations,
  });
  return { ...manifest, blobs };
}

function jsonBlob(mediaType: string, value: unknown): BuiltBlob {
  return blob(mediaType, Buffer.from(canonicalJson(value)));
}

function blob(mediaType: string, bytes: Uint8Array): BuiltBlob {
  return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, bytes };
}
