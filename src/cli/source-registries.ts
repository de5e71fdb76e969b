import type { TypedDocument } from '../documents/document-kind.ts';
import { upstreamHost } from '../oci/docker-hub.ts';
import type { Registry } from '../registry/client/registry.ts';
import type { Repository } from '../registry/client/repository.ts';
import type { LockedSource } from '../release/lock.ts';
import type { RegistryAccess, SourcePolicy } from '../release/source-policy.ts';
import type { RegistryOpener } from './registries.ts';

/** Finds the repositories that artefacts come from. */
export interface SourceRegistries {
  repositoryOf(source: Pick<LockedSource, 'registry' | 'repository'>): Repository;
}

type PolicyDocument = TypedDocument<'SourcePolicy', SourcePolicy>;

/**
 * Opens every registry that `sources` name, at the address and with the login that the policy gives
 * it; a registry that the policy does not mention is reached at `https://NAME` without a login.
 */
export async function openSourceRegistries(
  sources: readonly Pick<LockedSource, 'registry' | 'repository'>[],
  policy: PolicyDocument | undefined,
  opener: RegistryOpener,
): Promise<SourceRegistries> {
  const opened = new Map<string, Registry>();
  for (const source of sources) {
    const key = accessKey(source, policy?.value);
    if (!opened.has(key)) opened.set(key, await openOne(source.registry, key, policy, opener));
  }
  return {
    repositoryOf(source) {
      const registry = opened.get(accessKey(source, policy?.value));
      if (registry === undefined) throw new RangeError(`${source.registry} was not opened`);
      return registry.repository(source.repository);
    },
  };
}

/** The longest entry of the policy that covers the repository: `cr.openfuyao.cn/openfuyao`, else its host. */
function accessKey(
  { registry, repository }: Pick<LockedSource, 'registry' | 'repository'>,
  policy: SourcePolicy | undefined,
): string {
  const name = `${registry}/${repository}`;
  const covering = Object.keys(policy?.spec.registries ?? {}).filter((prefix) =>
    name.startsWith(`${prefix}/`),
  );
  return covering.sort((a, b) => b.length - a.length)[0] ?? registry;
}

function openOne(
  name: string,
  key: string,
  policy: PolicyDocument | undefined,
  opener: RegistryOpener,
): Promise<Registry> {
  const access: RegistryAccess = policy?.value.spec.registries?.[key] ?? {};
  return opener.open({
    name,
    url: access.endpoint ?? `https://${upstreamHost(name)}`,
    documentFile: policy?.file ?? '',
    side: 'source',
    trust: access.trust,
    credentials: access.credentials,
  });
}
