import type { ContainerdBehaviour } from '../../src/mirrors/containerd-version/behaviour.ts';
import type { RegistryEndpoint } from '../../src/mirrors/hosts-toml/endpoints.ts';
import type { AskedChain } from '../../src/mirrors/hosts-toml/walk/asked-chain.ts';
import { answerRulesOf } from '../../src/mirrors/hosts-toml/walk/version-rules.ts';
import {
  containerdRegistryKey,
  parseReference,
  pullReference,
  repositoryName,
} from '../../src/oci/reference.ts';

/** What containerd asks for one image when its registry has these endpoints, without a main configuration. */
export function containerdChain(
  name: string,
  endpoints: readonly RegistryEndpoint[],
  behaviour: ContainerdBehaviour,
): AskedChain {
  const reference = pullReference(parseReference(name));
  const registry = containerdRegistryKey(reference);
  const repository = repositoryName(reference).slice(registry.length + 1);
  return {
    reference,
    endpoints: endpoints.map((endpoint) => ({ ...endpoint, repository })),
    answers: answerRulesOf(behaviour),
  };
}
