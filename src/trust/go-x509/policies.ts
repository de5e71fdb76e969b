import type { GoCertificate } from './certificate.ts';

/** `anyPolicy`, 2.5.29.32.0, without its tag. */
const anyPolicy = '551d2000';

/**
 * Whether the policies of a chain are in order: where an authority requires one
 * (policyConstraints), all certificates below the root must have a policy in common. Mappings from
 * one policy to another are not followed: such a chain counts as refused. Source: RFC 5280, 6.1.
 */
export function hasPolicies(chain: readonly GoCertificate[]): boolean {
  const path = chain.slice(0, -1);
  const isRequired = path.some(({ extensions: { requireExplicitPolicy } }, index) => {
    return requireExplicitPolicy !== undefined && requireExplicitPolicy <= index;
  });
  if (!isRequired) return true;
  const sets = path.map(({ extensions }) => extensions.policies);
  const limiting = sets.filter((policies) => !policies.includes(anyPolicy));
  const [first] = limiting;
  if (first === undefined) return true;
  return first.some((policy) => limiting.every((policies) => policies.includes(policy)));
}
