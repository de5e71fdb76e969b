import { z } from 'zod';
import { API_VERSION } from '../documents/document-kind.ts';
import { PathPart, RepositoryPath, ShortName } from '../documents/names.ts';
import { PublicUrl } from '../documents/public-url.ts';
import { Digest } from '../oci/digest.ts';
import { FileMode } from './file-fields.ts';

/**
 * The Release: what is installed, and nothing about any site. Reference:
 * docs/reference/documents/release.md. What a schema cannot say is in check-release.ts.
 */

/** An image with more to say than its name. */
export const ImageEntry = z.strictObject({
  ref: z
    .string()
    .min(1)
    .describe('image reference with tag or digest, e.g. registry.k8s.io/pause:3.9'),
  flatName: RepositoryPath.describe(
    'name behind "repo" in templates; by default the last part of the path',
  ).optional(),
  platforms: z
    .array(z.string())
    .min(1)
    .describe('platforms of the Release that this image is needed for; by default all')
    .optional(),
  licence: z
    .string()
    .min(1)
    .describe('SPDX expression; by default that of the component')
    .optional(),
});
export type ImageEntry = z.infer<typeof ImageEntry>;

const Chart = z.strictObject({
  ref: z
    .string()
    .min(1)
    .describe('where the chart lies, e.g. oci://hub.oepkgs.net/charts/metrics-server'),
  version: PathPart.describe('version of the chart, e.g. 3.12.2'),
});

/** One part of the platform, with everything it needs. */
export const Component = z.strictObject({
  name: ShortName.describe('unique name of the component'),
  from: z
    .literal('matrix')
    .describe('take the images of this Kubernetes version from the version matrix')
    .optional(),
  class: ShortName.describe(
    'class of the SourcePolicy; by default the registry decides',
  ).optional(),
  licence: z.string().min(1).describe('SPDX expression, e.g. Apache-2.0').optional(),
  feature: ShortName.describe(
    'goes into the Lock as a mark; no command leaves a feature out yet',
  ).optional(),
  images: z
    .array(z.union([z.string(), ImageEntry]))
    .describe('all images that the component needs, as text or as a mapping with ref')
    .optional(),
  reason: z.string().min(1).describe('why "images" is empty').optional(),
  chart: Chart.describe('Helm chart in a registry').optional(),
  values: z
    .array(z.string().min(1))
    .describe('value files for the chart, in order; nothing reads them yet')
    .optional(),
  manifest: z
    .string()
    .min(1)
    .describe('file with Kubernetes manifests; nothing reads it yet')
    .optional(),
});
export type Component = z.infer<typeof Component>;

/** A plain file, such as a binary for the nodes. */
export const FileEntry = z.strictObject({
  name: PathPart.describe('name of the file, e.g. kubelet'),
  version: PathPart.describe('its version, e.g. v1.28.8').optional(),
  platform: z.string().min(1).describe('platform it runs on; none means all').optional(),
  url: PublicUrl.describe('where it is fetched from'),
  digest: Digest.describe('sha256 or sha512 digest of its content'),
  mode: FileMode.describe('permissions in octal; by default "0644"').optional(),
});
export type FileEntry = z.infer<typeof FileEntry>;

/** The document itself. */
export const Release = z.strictObject({
  apiVersion: z.literal(API_VERSION).describe('the version of the document format'),
  kind: z.literal('Release').describe('the kind of document'),
  metadata: z
    .strictObject({
      name: ShortName.describe('name of the product, e.g. openfuyao'),
      version: PathPart.describe('version of the product, e.g. 26.3.0'),
    })
    .describe('which Release this is'),
  spec: z
    .strictObject({
      kubernetes: z.string().describe('a line of the version matrix, e.g. v1.28.8').optional(),
      runtime: z
        .record(ShortName, z.string())
        .describe(
          'versions of the container runtimes that are installed, e.g. {containerd: v2.1.1}',
        )
        .optional(),
      platforms: z
        .array(z.string())
        .min(1)
        .describe('os/architecture[/variant], e.g. [linux/amd64]'),
      sandbox: z
        .string()
        .min(1)
        .describe(
          'image in which the pods of every node wait, one of those listed; by default that of "from: matrix"',
        )
        .optional(),
      components: z.array(Component).describe('the parts of the platform').optional(),
      files: z.array(FileEntry).describe('plain files, such as binaries for the nodes').optional(),
    })
    .describe('what is installed'),
});
export type Release = z.infer<typeof Release>;
