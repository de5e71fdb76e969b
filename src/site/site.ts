import { z } from 'zod';
import { API_VERSION } from '../documents/document-kind.ts';
import { RepositoryPath, ShortName } from '../documents/names.ts';
import { CredentialsReference, TrustReference } from '../documents/registry-access.ts';

/**
 * The Site: one place, its registries as seen from each spot, and the runtimes of its clusters.
 * Never says versions of what we install. Reference: docs/reference/documents/site.md.
 * What a schema cannot say is in check-site.ts.
 */

/** Under which name an image can be pulled; see published-names.ts. */
export const Layout = z.enum(['keep-path', 'flat', 'keep-host', 'projects']);
export type Layout = z.infer<typeof Layout>;

/** What a registry publishes whose `publish` says nothing. */
export const defaultPublish: readonly Layout[] = ['keep-path'];

const SeenFrom = z.strictObject({
  host: z.string().describe('as seen from the machine that runs Slipway').optional(),
  bootstrap: z
    .string()
    .describe('as seen from pods of the bootstrap cluster; nothing reads it yet')
    .optional(),
  nodes: z.string().describe('as seen from the nodes that are installed').optional(),
  afterwards: z.string().describe('as seen by everybody once the installation is over').optional(),
});

/** One registry of the Site. */
export const SiteRegistry = z.strictObject({
  address: z
    .string()
    .describe('host[:port][/project], without a scheme, e.g. harbor.example/platform'),
  plainHttp: z
    .literal(true)
    .describe('the registry speaks HTTP without TLS; every report says so')
    .optional(),
  seenFrom: SeenFrom.describe('host[:port] where it is reached under another address').optional(),
  publish: z
    .array(Layout)
    .min(1)
    .describe('names under which each image can be pulled; by default [keep-path]')
    .optional(),
  projects: z
    .record(z.string().min(1), RepositoryPath)
    .describe('for publish: [projects]: a class, or the start of upstream names, to its project')
    .optional(),
  trust: TrustReference.describe('authorities and client certificate').optional(),
  credentials: CredentialsReference.describe('the login, by reference').optional(),
});
export type SiteRegistry = z.infer<typeof SiteRegistry>;

/** What runs on the nodes of one kind of cluster. */
export const SiteCluster = z.strictObject({
  runtime: z.string().describe('containerd (its version comes from the Release), or name@version'),
  method: z
    .enum(['redirect', 'render'])
    .describe('redirect: mirror rules on the nodes; render: names with the prefix of the registry')
    .optional(),
});
export type SiteCluster = z.infer<typeof SiteCluster>;

/** The document itself. */
export const Site = z.strictObject({
  apiVersion: z.literal(API_VERSION).describe('the version of the document format'),
  kind: z.literal('Site').describe('the kind of document'),
  metadata: z
    .strictObject({ name: ShortName.describe('name of the place, e.g. plant-7') })
    .describe('which Site this is'),
  spec: z
    .strictObject({
      mode: z.enum(['online', 'offline']).describe('may nodes reach registries outside the Site'),
      sources: z
        .enum(['per-class', 'single'])
        .describe(
          'per-class: images come from the registries of their classes, for which those listed here stand in; single: all come from the one registry listed here, online too',
        ),
      registries: z.record(ShortName, SiteRegistry).describe('the registries of the Site by name'),
      allow: z
        .array(z.string())
        .describe('further hosts that nodes of an offline Site may reach, as host[:port]')
        .optional(),
      clusters: z
        .strictObject({
          bootstrap: SiteCluster.describe('the temporary cluster that installs').optional(),
          management: SiteCluster.describe('the cluster that manages the others').optional(),
          workload: SiteCluster.describe('the clusters that run applications').optional(),
        })
        .describe('what runs on the nodes of each kind of cluster')
        .optional(),
    })
    .describe('registries and clusters of the place'),
});
export type Site = z.infer<typeof Site>;
