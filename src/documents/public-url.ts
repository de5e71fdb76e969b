import { z } from 'zod';
import { hasSecret } from '../shared/secret.ts';

/**
 * A URL of a document, which goes into Locks and bundles and so to everybody (promise P7):
 * `https://files.example/helm`. With a login or a signature in it: DOC_SECRET_IN_CLEAR.
 */
export const PublicUrl = z
  .url({ protocol: /^https?$/, error: 'is not an http or https URL' })
  .refine((url) => !hasSecret(url), {
    error: 'holds a login, a token or a signature: secrets are never written into a document',
    params: {
      code: 'DOC_SECRET_IN_CLEAR',
      hint: 'take it out and change it, since it may have been seen; logins of hosts are referred to in the SourcePolicy (registries.HOST.credentials)',
    },
  });
