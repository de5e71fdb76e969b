/**
 * Manifests, indexes and configurations as containerd reads them: with Go's encoding/json into the
 * structs of image-spec 1.1. What JSON.parse makes of the same bytes may be another image: Go minds no
 * letter case, merges repeated fields, and refuses a byte order mark.
 * Compared with Go itself in test/oracles/go/json.
 */
import {
  type GoType,
  goBoolean,
  goBytes,
  goInteger,
  goList,
  goMap,
  goPointer,
  goRaw,
  goString,
  goStruct,
  goTime,
} from './decode.ts';
import { GoJsonError, parseGoJson } from './tree.ts';

const platformFields = {
  architecture: goString,
  os: goString,
  'os.version': goString,
  'os.features': goList(goString),
  variant: goString,
};

const descriptor = goStruct({
  mediaType: goString,
  digest: goString,
  size: goInteger,
  urls: goList(goString),
  annotations: goMap(goString),
  data: goBytes,
  platform: goPointer(goStruct(platformFields)),
  artifactType: goString,
});
/** https://github.com/opencontainers/image-spec/blob/v1.1.1/specs-go/v1/descriptor.go */
export type GoDescriptor = typeof descriptor extends GoType<infer T> ? T : never;

const common = {
  schemaVersion: goInteger,
  mediaType: goString,
  artifactType: goString,
  subject: goPointer(descriptor),
  annotations: goMap(goString),
};
const manifest = goStruct({ ...common, config: descriptor, layers: goList(descriptor) });
const index = goStruct({ ...common, manifests: goList(descriptor) });

/** containerd's core/images unknownDocument. */
const unknownDocument = goStruct({
  mediaType: goString,
  config: goRaw,
  layers: goRaw,
  manifests: goRaw,
  fsLayers: goRaw,
});

const nothing = goMap(goStruct({}));
const image = goStruct({
  created: goPointer(goTime),
  author: goString,
  ...platformFields,
  config: goStruct({
    User: goString,
    ExposedPorts: nothing,
    Env: goList(goString),
    Entrypoint: goList(goString),
    Cmd: goList(goString),
    Volumes: nothing,
    WorkingDir: goString,
    Labels: goMap(goString),
    StopSignal: goString,
    ArgsEscaped: goBoolean,
  }),
  rootfs: goStruct({ type: goString, diff_ids: goList(goString) }),
  history: goList(
    goStruct({
      created: goPointer(goTime),
      created_by: goString,
      author: goString,
      comment: goString,
      empty_layer: goBoolean,
    }),
  ),
});

/** What containerd pulls next when it has read a manifest or an index. */
export type GoContent =
  | {
      readonly kind: 'manifest';
      readonly config: GoDescriptor;
      readonly layers: readonly GoDescriptor[];
    }
  | { readonly kind: 'index'; readonly manifests: readonly GoDescriptor[] };

const indexTypes =
  /^application\/vnd\.(?:oci\.image\.index\.v1|docker\.distribution\.manifest\.list\.v2)\+json$/;
const manifestTypes =
  /^application\/vnd\.(?:oci\.image\.manifest|docker\.distribution\.manifest)\.v[12]\+json$/;

/** What containerd reads content of this type as; undefined for what it does not pull as an image. */
export function runtimeKind(mediaType: string): GoContent['kind'] | undefined {
  if (indexTypes.test(mediaType)) return 'index';
  const isSchema1 = mediaType.includes('docker') && mediaType.includes('.v1+');
  return manifestTypes.test(mediaType) && !isSchema1 ? 'manifest' : undefined;
}

/**
 * Reads a manifest or an index as containerd does. Throws {@link GoJsonError} for what it refuses: also
 * an index that has `layers`, or says that it is a manifest. Source: containerd 2.1 core/images.
 */
export function readGoContent(bytes: Uint8Array, kind: GoContent['kind']): GoContent {
  const tree = parseGoJson(bytes);
  const parts = unknownDocument.over(unknownDocument.zero(), tree, '');
  if (parts.fsLayers) throw new GoJsonError('it is a manifest of schema 1');
  const itself = runtimeKind(parts.mediaType);
  if (kind === 'manifest') {
    if (parts.manifests || itself === 'index')
      throw new GoJsonError('it is an index, not a manifest');
    const { config, layers } = manifest.over(manifest.zero(), tree, '');
    return { kind, config, layers };
  }
  if (parts.config || parts.layers || itself === 'manifest') {
    throw new GoJsonError('it is a manifest, not an index');
  }
  return { kind, manifests: index.over(index.zero(), tree, '').manifests };
}

/** What containerd needs of an image's configuration. */
export interface GoImage {
  readonly os: string;
  readonly architecture: string;
  readonly variant: string;
  /** Of the unpacked layers, in order. */
  readonly diffIds: readonly string[];
}

/** Reads a configuration as containerd does when it unpacks an image. {@link GoJsonError}. */
export function readGoImage(bytes: Uint8Array): GoImage {
  const { os, architecture, variant, rootfs } = image.over(image.zero(), parseGoJson(bytes), '');
  return { os, architecture, variant, diffIds: rootfs.diff_ids };
}
