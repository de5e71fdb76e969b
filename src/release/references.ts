import { z } from 'zod';
import { isDigest } from '../oci/digest.ts';
import { ReferenceInvalid } from '../oci/errors.ts';
import { formatReference, parseReference, type Reference } from '../oci/reference.ts';

/** Image references in documents: read without throwing, told apart, and as fields of a Lock. */

/** The reference in a text, or why it is none: `a b` → `{ reason: 'invalid reference format' }`. */
export function readReference(text: string): Reference | { readonly reason: string } {
  try {
    return parseReference(text);
  } catch (error) {
    if (error instanceof ReferenceInvalid) return { reason: error.data.reason };
    throw error;
  }
}

/**
 * What makes two references one image: name and tag, or without a tag name and digest.
 * `nginx:1` and `docker.io/library/nginx:1@sha256:…` → `docker.io/library/nginx:1`.
 */
export function identityOf(reference: Reference): string {
  const { digest: _, ...tagged } = reference;
  return formatReference(reference.tag === undefined ? reference : tagged);
}

const invalid = { code: 'IMAGE_REFERENCE_INVALID', hint: 'plan again: slipway plan' };

/** A name as a Lock has it: complete, with a tag or digest. `registry.k8s.io/pause:3.9`, not `nginx:1`. */
export const FullReference = z.string().refine(isFullReference, {
  error: 'is not a full reference, such as registry.k8s.io/pause:3.9',
  params: invalid,
});

function isFullReference(text: string): boolean {
  const reference = readReference(text);
  if ('reason' in reference || formatReference(reference) !== text) return false;
  return reference.tag !== undefined || reference.digest !== undefined;
}

/** True when the parts of a source make one full reference, so that none of them leaves its place. */
export function isSource(source: {
  readonly registry: string;
  readonly repository: string;
  readonly reference: string;
}): boolean {
  const start = source.registry === '' ? '' : `${source.registry}/`;
  const separator = isDigest(source.reference) ? '@' : ':';
  const found = readReference(`${start}${source.repository}${separator}${source.reference}`);
  return (
    !('reason' in found) && found.domain === source.registry && found.path === source.repository
  );
}
