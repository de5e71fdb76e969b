import { type Digest, digestOf } from '../oci/digest.ts';
import { canonicalJson } from '../shared/json.ts';
import type { SourcePolicy } from './source-policy.ts';

/**
 * The digest of what a policy decides: its classes and approvals. How registries are reached is left
 * out, since addresses and logins differ from place to place and nothing of them enters a Lock.
 */
export function policyDigest({ spec }: Pick<SourcePolicy, 'spec'>): Digest {
  const { classes, approvals = [] } = spec;
  return digestOf(canonicalJson({ classes, approvals }));
}
