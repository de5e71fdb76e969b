import { z } from 'zod';
import { API_VERSION } from '../documents/document-kind.ts';
import { ShortName } from '../documents/names.ts';
import { PublicUrl } from '../documents/public-url.ts';
import { CredentialsReference, TrustReference } from '../documents/registry-access.ts';

/**
 * The SourcePolicy: where each class of image lives, and what may travel. Never says tags.
 * Reference: docs/reference/documents/source-policy.md. What a schema cannot say is in check-policy.ts.
 */

/** `host[:port][/path]`: a logical registry, as image references begin. */
const RegistryPrefix = z
  .string()
  .regex(
    /^(?=.*[.:]|localhost)[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/,
    'is not a registry: write host[:port][/path], in lower case, without a scheme',
  );

const Licences = z.strictObject({
  allow: z
    .array(z.string().min(1))
    .describe('SPDX ids, or globs such as BSD-*, that may travel')
    .optional(),
  review: z
    .array(z.string().min(1))
    .describe('those that a person has to look at first')
    .optional(),
});

/** One class of images: where they live and whether they may be passed on. */
export const SourceClass = z.strictObject({
  registries: z
    .array(z.union([z.literal('*'), RegistryPrefix]))
    .min(1)
    .describe('registries of the class, e.g. cr.openfuyao.cn/openfuyao; "*" is every other one'),
  licences: Licences.describe(
    'which licences may travel; by default the class decides alone',
  ).optional(),
  redistribute: z
    .enum(['always', 'by-licence', 'never'])
    .describe(
      'may images of the class go into packages for others; by default by-licence if licences are given, else always',
    )
    .optional(),
});
export type SourceClass = z.infer<typeof SourceClass>;

/** How a logical registry is reached. Nothing of it enters the Lock. */
export const RegistryAccess = z.strictObject({
  endpoint: PublicUrl.refine(
    (url) => !/[?#]/.test(url),
    'has a query; only scheme, host, port and path count',
  )
    .describe('where it is really reached, e.g. http://127.0.0.1:5001; by default https://NAME')
    .optional(),
  trust: TrustReference.describe('authorities and client certificate').optional(),
  credentials: CredentialsReference.describe('the login, by reference').optional(),
});
export type RegistryAccess = z.infer<typeof RegistryAccess>;

/**
 * The yes of a person to what the class would have looked at first. It holds for the licence that was
 * looked at: once the Release states another, somebody has to look again.
 */
export const Approval = z.strictObject({
  name: z
    .string()
    .min(1)
    .describe('image or chart, with a tag for one version: hub.oepkgs.net/openfuyao/x:1.0'),
  licence: z
    .string()
    .min(1)
    .describe('the licence that was looked at, as the Release states it; none: it states none')
    .optional(),
  by: z.string().min(1).describe('who has looked, e.g. legal@openfuyao.example'),
  because: z.string().min(1).describe('why it may travel, as half a sentence'),
});
export type Approval = z.infer<typeof Approval>;

/** The document itself. */
export const SourcePolicy = z.strictObject({
  apiVersion: z.literal(API_VERSION).describe('the version of the document format'),
  kind: z.literal('SourcePolicy').describe('the kind of document'),
  metadata: z
    .strictObject({ name: ShortName.describe('name of the policy') })
    .describe('which policy this is'),
  spec: z
    .strictObject({
      classes: z.record(ShortName, SourceClass).describe('classes of images by name'),
      approvals: z
        .array(Approval)
        .describe('what a person has looked at and lets travel')
        .optional(),
      registries: z
        .record(RegistryPrefix, RegistryAccess)
        .describe(
          'how registries are reached; names without an entry at https://NAME, without a login',
        )
        .optional(),
    })
    .describe('classes of images, and how registries are reached'),
});
export type SourcePolicy = z.infer<typeof SourcePolicy>;
