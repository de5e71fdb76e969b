/** Endpoints from registry.mirrors, as containerd makes them where no host directory is read. */

import { isTomlTable, type TomlTable } from '../../../documents/toml.ts';
import { upstreamHost } from '../../../oci/docker-hub.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import { readTrust, TrustFileError } from '../../certificates/trust-files.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Origin } from '../../finding.ts';
import { isLocalHost } from '../../go/host-port.ts';
import { plainEndpoint, type RegistryEndpoint } from '../../hosts-toml/endpoints.ts';
import { allCapabilities } from '../../hosts-toml/read/host-entry.ts';
import type { RegistryRules, RulesFault } from '../../hosts-toml/registry-rules.ts';
import { valueAt } from '../main-config/config-files.ts';
import { criEndpoints } from './cri-mirrors.ts';

/** What decides the endpoints; `origin` is the place of the mirrors table. */
export interface DeprecatedQuery {
  readonly tree: ConfigTree;
  readonly registry: string;
  readonly settings: TomlTable;
  readonly behaviour: ContainerdBehaviour;
  readonly origin: Origin;
}

/** The rules of one registry; a URL that is none fails every pull of it. */
export async function deprecatedRules(query: DeprecatedQuery): Promise<RegistryRules> {
  const mirrors = query.settings['mirrors'];
  const directory = { kind: 'none' } as const;
  const endpoints: RegistryEndpoint[] = [];
  try {
    for (const url of criEndpoints(isTomlTable(mirrors) ? mirrors : {}, query.registry)) {
      endpoints.push(await endpointOf(url, query));
    }
  } catch (error) {
    if (!(error instanceof TrustFileError || error instanceof BadEndpoint)) throw error;
    const { message } = error;
    const fault: RulesFault =
      error instanceof BadEndpoint
        ? { kind: 'endpoint-url' }
        : { kind: 'trust-file', why: error.why };
    const { origin } = query;
    return { directory, planned: [], outcome: { kind: 'failed', fault, error: message, origin } };
  }
  return { directory, planned: [], outcome: { kind: 'endpoints', endpoints } };
}

class BadEndpoint extends Error {}

async function endpointOf(text: string, query: DeprecatedQuery): Promise<RegistryEndpoint> {
  const { registry, behaviour, settings, tree, origin } = query;
  const parsed = parseGoUrl(text);
  if (!parsed.ok)
    throw new BadEndpoint(`parse registry endpoint "${text}" from mirrors: ${parsed.reason}`);
  const { host, scheme, path } = parsed.url;
  const tls = behaviour.has('registry-tls')
    ? valueAt(settings, ['configs', host, 'tls'])
    : undefined;
  const isUnchecked = isLocalHost(registry) && scheme === 'http' && !isTomlTable(tls);
  const trust = isTomlTable(tls) ? tlsFiles(tls) : { skipVerify: isUnchecked };
  const plain = plainEndpoint({
    registry,
    role: host === upstreamHost(registry) ? 'upstream' : 'mirror',
    scheme,
    host,
    path: path === '' ? '/v2' : path,
    capabilities: allCapabilities(behaviour).filter((name) => name !== 'push'),
    origin,
  });
  return { ...plain, trust: await readTrust(tree, trust) };
}

function tlsFiles(tls: TomlTable) {
  const text = (key: string) => (typeof tls[key] === 'string' ? tls[key] : '');
  const certificate = text('cert_file');
  return {
    ...(text('ca_file') === '' ? {} : { ca: [text('ca_file')] }),
    ...(certificate === '' ? {} : { clients: [[certificate, text('key_file')] as const] }),
    skipVerify: tls['insecure_skip_verify'] === true,
  };
}
