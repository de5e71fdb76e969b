import type { ContainerdBehaviour } from '../../src/mirrors/containerd-version/behaviour.ts';
import { readRegistryRules } from '../../src/mirrors/hosts-toml/registry-rules.ts';
import { resolveRequests } from '../../src/mirrors/hosts-toml/walk/resolve-requests.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import { notThere, simulate } from '../../src/mirrors/simulate.ts';
import { containerdRegistryKey, parseReference } from '../../src/oci/reference.ts';
import { containerdChain } from './containerd-chain.ts';

/** What upstream containerd asks for an image when its host directories are these files and nobody has it. */
export async function simulatedRequests(
  files: Readonly<Record<string, string>>,
  ref: string,
  behaviour: ContainerdBehaviour,
): Promise<{ readonly requests: readonly string[]; readonly skipVerifyOn: readonly string[] }> {
  const registry = containerdRegistryKey(parseReference(ref));
  const tree = memoryTree(files);
  const { outcome } = await readRegistryRules({ tree, roots: ['certs.d'], registry, behaviour });
  if (outcome.kind === 'failed') throw new Error(outcome.error);
  const chain = containerdChain(ref, outcome.endpoints, behaviour);
  const { steps } = simulate(resolveRequests(chain), () => notThere);
  // The recording transport could not look behind an endpoint that falls back to HTTP.
  const unchecked = chain.endpoints.filter(
    ({ trust, httpsFirst }) => trust.skipVerify && !httpsFirst,
  );
  return {
    requests: steps.map(({ request }) => `${request.method} ${request.url}`),
    skipVerifyOn: unchecked.map(({ base }) => base),
  };
}
