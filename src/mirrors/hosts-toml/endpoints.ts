/** From host entries to endpoints: fills in the upstream and decides how each one is asked. */

import { HUB, HUB_HOST, upstreamHost } from '../../oci/docker-hub.ts';
import { Secret } from '../../shared/secret.ts';
import { readTrust } from '../certificates/trust-files.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { ContainerdBehaviour } from '../containerd-version/behaviour.ts';
import type { Origin } from '../finding.ts';
import { isLocalHost, splitHostPort } from '../go/host-port.ts';
import type { PullEndpoint } from '../pull-chain.ts';
import { allCapabilities, type HostEntry } from './read/host-entry.ts';

/** What a client of the library may set for the upstream; CRI sets neither. */
export interface UpstreamDefaults {
  readonly scheme?: string;
  readonly hasTls?: boolean;
}

/** What all endpoints of one registry have in common. */
export interface EndpointContext {
  readonly registry: string;
  readonly behaviour: ContainerdBehaviour;
  /** Where the entries come from; their places are lines of it. */
  readonly origin: Origin;
  readonly defaults?: UpstreamDefaults;
}

const DIAL_TIMEOUT_MS = 30_000;

/** An endpoint of a registry, whichever image is asked for there. */
export type RegistryEndpoint = Omit<PullEndpoint, 'repository'>;

/** An entry that says nothing: what is asked when there is no configuration at all. */
export const emptyEntry: HostEntry = {
  written: '',
  table: [],
  overridePath: false,
  host: '',
  scheme: '',
  path: '',
  capabilities: [],
  header: new Map(),
  place: {},
};

/** An endpoint before its certificates are read, with the entry that it comes from. */
export type PlannedEndpoint = Omit<RegistryEndpoint, 'trust'> & { readonly entry: HostEntry };

/**
 * The endpoints in the order in which they are asked, whatever their certificates are. `entries` holds
 * the root entry last; if that has no host, it becomes the upstream.
 */
export function planEndpoints(
  entries: readonly HostEntry[],
  context: EndpointContext,
): readonly PlannedEndpoint[] {
  return entries.map((entry, index) => {
    const isRoot = index === entries.length - 1;
    const role = !isRoot ? 'mirror' : entry.host === '' ? 'upstream' : 'server';
    return planEndpoint(entry, role, context);
  });
}

/** Opens the certificates of each endpoint. Rejects with TrustFileError when one is bad. */
export async function trustEndpoints(
  planned: readonly PlannedEndpoint[],
  tree: ConfigTree,
): Promise<readonly RegistryEndpoint[]> {
  const endpoints: RegistryEndpoint[] = [];
  for (const { entry, ...endpoint } of planned) {
    endpoints.push({ ...endpoint, trust: await readTrust(tree, entry) });
  }
  return endpoints;
}

function upstreamEntry(entry: HostEntry, context: EndpointContext): HostEntry {
  const { registry, behaviour, defaults = {} } = context;
  const filled = { ...entry, path: '/v2', capabilities: allCapabilities(behaviour) };
  if (registry === HUB) return { ...filled, scheme: 'https', host: HUB_HOST };
  if (!isLocalHost(registry)) {
    return { ...filled, scheme: defaults.scheme ?? 'https', host: registry };
  }
  return { ...filled, host: registry, ...localDefaults(registry, context) };
}

/** A registry on this machine: HTTPS without verification, plain HTTP where the port says so. */
function localDefaults(
  registry: string,
  { behaviour, defaults = {} }: EndpointContext,
): { readonly scheme: string; readonly skipVerify?: boolean } {
  if (!behaviour.has('local-scheme-by-port')) {
    const { scheme = 'http' } = defaults;
    return scheme === 'http' ? { scheme, skipVerify: true } : { scheme };
  }
  if (defaults.scheme !== undefined) return { scheme: defaults.scheme };
  const { port } = splitHostPort(registry);
  if (port === '80') return { scheme: 'http' };
  return { scheme: port === '' || port === '443' ? 'https' : 'http', skipVerify: true };
}

function planEndpoint(
  entry: HostEntry,
  role: PullEndpoint['role'],
  context: EndpointContext,
): PlannedEndpoint {
  const filled = role === 'upstream' ? upstreamEntry(entry, context) : entry;
  const httpsFirst = isHttpsFirst(filled, context);
  const { header, dialTimeoutMs = DIAL_TIMEOUT_MS } = filled;
  const plain = plainEndpoint({
    registry: context.registry,
    role,
    scheme: httpsFirst ? 'https' : filled.scheme,
    host: filled.host,
    path: filled.path,
    capabilities: filled.capabilities,
    origin: context.origin.builtIn ? context.origin : { ...context.origin, ...filled.place },
  });
  const headers = Array.from(header, ([name, values]): [string, readonly Secret[]] => [
    name,
    values.map((value) => new Secret(value)),
  ]);
  return { ...plain, entry: filled, httpsFirst, headers: new Map(headers), dialTimeoutMs };
}

/** What an endpoint is made of when it has no settings of its own but trust. */
type PlainParts = Pick<
  PullEndpoint,
  'role' | 'scheme' | 'host' | 'path' | 'capabilities' | 'origin'
> & { readonly registry: string };

/** An endpoint without headers, with the usual dial timeout; base and `ns` follow from the parts. */
export function plainEndpoint({ registry, ...parts }: PlainParts): Omit<RegistryEndpoint, 'trust'> {
  const { scheme, host, path } = parts;
  return {
    ...parts,
    base: `${scheme}://${host}${path}`,
    reachable: (scheme === 'https' || scheme === 'http') && host !== '',
    ...(isProxy(registry, host) ? { ns: registry } : {}),
    httpsFirst: false,
    headers: new Map(),
    dialTimeoutMs: DIAL_TIMEOUT_MS,
  };
}

/** True when the host is not the registry itself, whose name it then learns from `?ns=`. */
function isProxy(registry: string, host: string): boolean {
  return registry !== host && upstreamHost(registry) !== host;
}

function isHttpsFirst(entry: HostEntry, { behaviour, defaults = {} }: EndpointContext): boolean {
  if (entry.scheme !== 'http' || !behaviour.has('https-first')) return false;
  const hasTls =
    defaults.hasTls === true ||
    entry.ca !== undefined ||
    entry.clients !== undefined ||
    entry.skipVerify !== undefined ||
    (entry.dialTimeoutMs !== undefined && behaviour.has('dial-timeout-counts-as-tls'));
  if (!hasTls) return false;
  const { port } = splitHostPort(entry.host);
  if (port === '80') return behaviour.has('https-first-on-port-80');
  return port !== '' || behaviour.has('https-first-without-port');
}
