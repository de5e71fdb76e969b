import { z } from 'zod';
import { API_VERSION } from '../documents/document-kind.ts';
import { PathPart, RepositoryPath, ShortName } from '../documents/names.ts';
import { PublicUrl } from '../documents/public-url.ts';
import { Digest } from '../oci/digest.ts';
import { PlatformText } from '../oci/platform.ts';
import { FileMode } from './file-fields.ts';
import { FullReference, isSource } from './references.ts';

/**
 * The Lock: every artefact of a Release by digest and size, per platform, with its reasons and its
 * source. It holds logical registry names only, never addresses of one site, and no wishes.
 * Written by `slipway plan`, read by everything behind it. Same inputs, same bytes (promise P9):
 * images by name, charts by name, files by name and platform, blobs by digest.
 */

/** A blob or manifest by digest, with its size in bytes. */
export const LockedBlob = z.strictObject({
  digest: Digest.describe('digest of the bytes'),
  size: z.int().nonnegative().describe('size in bytes'),
  mediaType: z.string().describe('what the bytes are'),
});
export type LockedBlob = z.infer<typeof LockedBlob>;

/** Why an artefact is in the Lock: the place that asked for it, `release.yaml:12:17`. */
export const LockedReason = z.strictObject({
  component: z.string().describe('the component that needs it'),
  because: z.string().describe('one sentence, e.g. Kubernetes v1.28.8 needs it'),
  file: z.string().describe('the document that asks for it'),
  line: z.int().positive().describe('its line, from 1'),
  column: z.int().positive().describe('its column, from 1'),
});
export type LockedReason = z.infer<typeof LockedReason>;

const reasons = z.array(LockedReason).min(1).describe('who asked for it, and where');

/**
 * One manifest of an image: what one platform pulls. Layers in order, without duplicates. Artefacts
 * run nowhere, so they are for every platform; attestations travel along and no node asks for them.
 */
export const LockedPlatform = z
  .strictObject({
    kind: z
      .enum(['image', 'artefact', 'attestation'])
      .describe(
        'by default image; artefact: for no platform in particular; attestation: a statement about the images',
      )
      .optional(),
    platform: PlatformText.describe(
      'os/architecture[/variant] as the Release spells it; only images have one',
    ).optional(),
    manifest: LockedBlob.describe('the manifest of the platform'),
    config: LockedBlob.describe('the configuration it names'),
    layers: z.array(LockedBlob).describe('the layers in their order, without duplicates'),
    foreignLayers: z
      .array(LockedBlob.extend({ urls: z.array(z.string()).describe('where it is fetched from') }))
      .describe('layers that the image names but that must be fetched from elsewhere')
      .optional(),
  })
  .refine(({ kind = 'image', platform }) => (kind === 'image') === (platform !== undefined), {
    error: 'has no platform though it is an image, or one though it is none',
    params: { code: 'LOCK_INCONSISTENT', hint: 'plan again: slipway plan' },
  });
export type LockedPlatform = z.infer<typeof LockedPlatform>;

/**
 * Where the bytes come from: a logical registry (with project), repository and the tag or digest
 * asked for. `registry` is a name of the SourcePolicy, not an address.
 */
export const LockedSource = z
  .strictObject({
    registry: z.string().describe('a name of the SourcePolicy, not an address'),
    repository: z.string().describe('repository in that registry'),
    reference: z.string().describe('the tag or digest that was asked for'),
  })
  .refine(isSource, {
    error: 'is no place in a registry: its registry, repository and reference make no image name',
    params: { code: 'IMAGE_REFERENCE_INVALID', hint: 'plan again: slipway plan' },
  });
export type LockedSource = z.infer<typeof LockedSource>;

/** Whether the artefact may go into a package for others; `review` needs a person's yes. */
export const Redistribution = z.enum(['allowed', 'review', 'own-use-only']);
export type Redistribution = z.infer<typeof Redistribution>;

/** What the policy says about an image or a chart. */
const judged = {
  class: ShortName.describe('class of the SourcePolicy'),
  licence: z.string().describe('SPDX expression').optional(),
  redistribution: Redistribution.describe(
    'may it go into a package for others; review needs the yes of a person',
  ),
  redistributionBecause: z
    .string()
    .describe('why it may not simply be passed on, or who lets it, as half a sentence')
    .optional(),
  feature: ShortName.describe(
    'the feature it belongs to; no command leaves one out yet',
  ).optional(),
  source: LockedSource.describe('where the bytes come from'),
};

/** An image under the name that people ask for. */
export const LockedImage = z.strictObject({
  name: FullReference.describe(
    'the full name as clusters ask for it, e.g. registry.k8s.io/pause:3.9',
  ),
  flatName: RepositoryPath.describe(
    'name behind "repo" in templates; without it the last part of the path',
  ).optional(),
  ...judged,
  movingTag: z.boolean().describe('the tag may point to something else tomorrow'),
  target: LockedBlob.describe('what the name points to: an index, or a manifest for one platform'),
  sparse: z.boolean().describe('the index names more manifests than are locked here'),
  indexes: z
    .array(LockedBlob)
    .describe('indexes between the target and the manifests, if there are any')
    .optional(),
  platforms: z.array(LockedPlatform).describe('what each platform pulls'),
  reasons,
});
export type LockedImage = z.infer<typeof LockedImage>;

/** A chart as an OCI artefact: one manifest, its config and its layers, for no platform. */
export const LockedChart = z.strictObject({
  name: FullReference.describe(
    'the full name, e.g. hub.oepkgs.net/charts/metrics-server:3.12.2; its tag has "_" for "+"',
  ),
  version: PathPart.describe('version of the chart'),
  ...judged,
  manifest: LockedBlob.describe('the manifest of the chart'),
  config: LockedBlob.describe('the chart metadata'),
  layers: z.array(LockedBlob).describe('the archive, and its provenance if there is one'),
  reasons,
});
export type LockedChart = z.infer<typeof LockedChart>;

/** A plain file with its digest; `mode` is octal text such as "0755". */
export const LockedFile = z.strictObject({
  name: PathPart.describe('name of the file'),
  version: PathPart.describe('its version').optional(),
  platform: PlatformText.describe('platform it runs on; none means all').optional(),
  url: PublicUrl.describe('where it is fetched from'),
  mode: FileMode.describe('permissions in octal, e.g. "0755"'),
  blob: LockedBlob.describe('its content'),
  reasons,
});
export type LockedFile = z.infer<typeof LockedFile>;

const Totals = z.strictObject({
  images: z.int().describe('number of images'),
  charts: z.int().describe('number of charts'),
  files: z.int().describe('number of files'),
  bytes: z.int().describe('sum over all artefacts, each counted whole'),
  uniqueBytes: z.int().describe('every blob counted once'),
});

const MadeFrom = z.strictObject({
  release: Digest.describe('digest of the Release'),
  policy: Digest.describe('digest of the classes and approvals of the SourcePolicy').optional(),
});

/** The version matrix that `from: matrix` was taken from: its version and digest (R0-86, R0-108). */
const LockedMatrix = z.strictObject({
  version: PathPart.describe('its line, e.g. v1.28.8'),
  digest: Digest.describe('digest of its file'),
});

/** The document itself. */
export const Lock = z.strictObject({
  apiVersion: z.literal(API_VERSION).describe('the version of the document format'),
  kind: z.literal('Lock').describe('the kind of document'),
  metadata: z
    .strictObject({
      name: ShortName.describe('name of the Release'),
      version: PathPart.describe('version of the Release'),
    })
    .describe('which Release this is'),
  spec: z
    .strictObject({
      madeFrom: MadeFrom.describe('digests of the documents it was made from'),
      kubernetes: z.string().describe('the Kubernetes version').optional(),
      matrix: LockedMatrix.describe('the version matrix it was made with').optional(),
      runtime: z
        .record(z.string(), z.string())
        .describe('versions of the container runtimes that are installed')
        .optional(),
      sandbox: FullReference.describe(
        'the image in which the pods of every node wait, for the configuration of runtimes',
      ).optional(),
      platforms: z.array(PlatformText).min(1).describe('the platforms of the Release'),
      totals: Totals.describe('counts and sums, to notice a Lock that was cut short'),
      images: z.array(LockedImage).describe('images by name'),
      charts: z.array(LockedChart).describe('charts by name and version'),
      files: z.array(LockedFile).describe('files by name and platform'),
    })
    .describe('what was locked'),
});
export type Lock = z.infer<typeof Lock>;
