import { z } from 'zod';
import { Digest } from '../oci/digest.ts';

/**
 * The Lock: every artefact of a Release by digest and size, per platform, with its reasons and its
 * source. It holds logical registry names only, never addresses of one site, and no wishes.
 * Written by `slipway plan`, read by everything behind it. Same inputs, same bytes (promise P9):
 * images by name, charts by name, files by name and platform, blobs by digest.
 */

/** A blob or manifest by digest, with its size in bytes. */
export const LockedBlob = z.strictObject({
  digest: Digest,
  size: z.int().nonnegative(),
  mediaType: z.string(),
});
export type LockedBlob = z.infer<typeof LockedBlob>;

/** Why an artefact is in the Lock: the place that asked for it, `release.yaml:12:17`. */
export const LockedReason = z.strictObject({
  component: z.string(),
  /** One sentence: `listed in images`, `Kubernetes v1.28.8 needs it`. */
  because: z.string(),
  file: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
});
export type LockedReason = z.infer<typeof LockedReason>;

/** One manifest of an image: what one platform pulls. Layers in order, without duplicates. */
export const LockedPlatform = z.strictObject({
  platform: z.string(),
  manifest: LockedBlob,
  config: LockedBlob,
  layers: z.array(LockedBlob),
  /** Layers that the image names but that must be fetched from elsewhere (foreign layers). */
  foreignLayers: z.array(LockedBlob.extend({ urls: z.array(z.string()) })).optional(),
});
export type LockedPlatform = z.infer<typeof LockedPlatform>;

/**
 * Where the bytes come from: a logical registry (with project), repository and the tag or digest
 * asked for. `registry` is a name of the SourcePolicy, not an address.
 */
export const LockedSource = z.strictObject({
  registry: z.string(),
  repository: z.string(),
  reference: z.string(),
});
export type LockedSource = z.infer<typeof LockedSource>;

/** Whether the artefact may go into a package for others; `review` needs a person's yes. */
export const Redistribution = z.enum(['allowed', 'review', 'own-use-only']);
export type Redistribution = z.infer<typeof Redistribution>;

/** An image (or a chart, which is an OCI artefact too) under the name that people ask for. */
export const LockedImage = z.strictObject({
  /** The full name as clusters ask for it: `registry.k8s.io/pause:3.9`, with tag, digest or both. */
  name: z.string(),
  /** The name behind `repo` in a template, if the Release gives one; else the last path component. */
  flatName: z.string().optional(),
  class: z.string(),
  licence: z.string().optional(),
  redistribution: Redistribution,
  feature: z.string().optional(),
  source: LockedSource,
  /** True when the tag can move: it is not the digest that was asked for. */
  movingTag: z.boolean(),
  /** What the name points to: an index or, for one platform, a manifest. */
  target: LockedBlob,
  /** True when the index names more manifests than are locked here (a sparse index, promise P1). */
  sparse: z.boolean(),
  /** Between the index and a platform's manifest: nested indexes, if there are any. */
  indexes: z.array(LockedBlob).optional(),
  platforms: z.array(LockedPlatform),
  reasons: z.array(LockedReason).min(1),
});
export type LockedImage = z.infer<typeof LockedImage>;

/** A chart as an OCI artefact: one manifest, its config and its layers, for no platform. */
export const LockedChart = z.strictObject({
  name: z.string(),
  version: z.string(),
  class: z.string(),
  licence: z.string().optional(),
  redistribution: Redistribution,
  feature: z.string().optional(),
  source: LockedSource,
  manifest: LockedBlob,
  config: LockedBlob,
  layers: z.array(LockedBlob),
  reasons: z.array(LockedReason).min(1),
});
export type LockedChart = z.infer<typeof LockedChart>;

/** A plain file with its digest; `mode` is octal text such as "0755". */
export const LockedFile = z.strictObject({
  name: z.string(),
  version: z.string().optional(),
  platform: z.string().optional(),
  url: z.string(),
  mode: z.string().regex(/^0[0-7]{3}$/),
  blob: LockedBlob,
  reasons: z.array(LockedReason).min(1),
});
export type LockedFile = z.infer<typeof LockedFile>;

/** The document itself. */
export const Lock = z.strictObject({
  apiVersion: z.literal('slipway.dev/v1alpha1'),
  kind: z.literal('Lock'),
  metadata: z.strictObject({ name: z.string(), version: z.string() }),
  spec: z.strictObject({
    /** Digests of the documents that this Lock was made from, to notice that they changed. */
    madeFrom: z.strictObject({ release: Digest, policy: Digest.optional() }),
    kubernetes: z.string().optional(),
    /** The version matrix that `from: matrix` was taken from: its version and digest (R0-86, R0-108). */
    matrix: z.strictObject({ version: z.string(), digest: Digest }).optional(),
    runtime: z.record(z.string(), z.string()).optional(),
    platforms: z.array(z.string()).min(1),
    totals: z.strictObject({
      images: z.int(),
      charts: z.int(),
      files: z.int(),
      /** Sum over all images, each counted whole. */
      bytes: z.int(),
      /** Every blob counted once. */
      uniqueBytes: z.int(),
    }),
    images: z.array(LockedImage),
    charts: z.array(LockedChart),
    files: z.array(LockedFile),
  }),
});
export type Lock = z.infer<typeof Lock>;
