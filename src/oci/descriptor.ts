import { z } from 'zod';
import { Digest } from './digest.ts';
import { Platform } from './platform.ts';

/**
 * Names a blob or manifest: type, digest and size in bytes. Unknown fields survive.
 * Source: https://github.com/opencontainers/image-spec/blob/main/descriptor.md
 */
export const Descriptor = z.looseObject({
  mediaType: z.string(),
  digest: Digest,
  size: z.int().nonnegative(),
  urls: z.array(z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  /** The content itself in base64, if the descriptor embeds it. */
  data: z.string().optional(),
  platform: Platform.optional(),
  artifactType: z.string().optional(),
});
export type Descriptor = z.infer<typeof Descriptor>;

/** The least that is needed to fetch and check a blob. */
export type BlobRef = Readonly<Pick<Descriptor, 'digest' | 'size'>>;
