import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';

/** How to reach a registry, as documents of several kinds say it: trust and credentials by reference. */

const FilePath = z.string().min(1);

/** Whom to trust when speaking TLS with one registry, and how to identify ourselves; all by path. */
export const TrustReference = z
  .strictObject({
    ca: FilePath.describe(
      'PEM file with the authorities that sign the registry, e.g. ca/site.pem',
    ).optional(),
    clientCertificate: FilePath.describe('PEM file with the certificate that we show').optional(),
    clientKey: FilePath.describe('PEM file with its key; given together with it').optional(),
    insecureSkipVerify: z
      .literal(true)
      .describe('certificates are not checked at all; every report says so')
      .optional(),
  })
  .refine((trust) => (trust.clientCertificate === undefined) === (trust.clientKey === undefined), {
    message: 'has only one of clientCertificate and clientKey; give both or none',
  })
  .refine((trust) => trust.insecureSkipVerify !== true || trust.ca === undefined, {
    message: 'has both ca and insecureSkipVerify; the authorities would not be looked at',
  });
export type TrustReference = z.infer<typeof TrustReference>;

/** Where a login comes from. Secrets themselves are never in a document (promise P7). */
export const CredentialsReference = z
  .strictObject({
    file: FilePath.describe('file with username=… and password=…, e.g. secrets/harbor').optional(),
    dockerConfig: z
      .literal(true)
      .describe('take the login that docker or podman login has stored')
      .optional(),
  })
  .refine((from) => (from.file === undefined) !== (from.dockerConfig === undefined), {
    message: 'must have exactly one of file and dockerConfig',
  });
export type CredentialsReference = z.infer<typeof CredentialsReference>;

/**
 * A path that a document names, as seen from the current folder: paths in documents start at the
 * document's own folder. `pathBeside('sites/a/site.yaml', 'ca.pem')` → `sites/a/ca.pem`.
 */
export function pathBeside(documentFile: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(documentFile), path);
}
