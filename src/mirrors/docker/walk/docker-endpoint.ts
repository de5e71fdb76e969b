import { HUB, upstreamHost } from '../../../oci/docker-hub.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import type { Origin } from '../../finding.ts';
import type { EndpointTrust, PullEndpoint } from '../../pull-chain.ts';
import type { DockerBehaviour } from '../behaviour.ts';
import { itemSpan } from '../lint/daemon-faults.ts';
import type { DaemonFile, DaemonSettings } from '../read/daemon-file.ts';
import {
  type AddressesOf,
  impliedNetworks,
  isSecureHost,
  readInsecureEntry,
} from '../read/insecure-registries.ts';
import { validateMirror } from '../read/mirror-url.ts';

/** An endpoint of a registry, whichever image is asked for there. */
export type DockerEndpoint = Omit<PullEndpoint, 'repository'>;

/** The endpoints of one registry, or why every pull of it fails. */
export type EndpointsOutcome =
  | { readonly ok: true; readonly endpoints: readonly DockerEndpoint[] }
  | { readonly ok: false; readonly error: string; readonly origin: Origin };

/** The parts of which an endpoint of Docker's own is made. */
export type DockerParts = Pick<
  DockerEndpoint,
  'role' | 'scheme' | 'host' | 'path' | 'capabilities' | 'trust' | 'origin'
>;

/** An endpoint without headers; the classic image store tells it nothing by `?ns=` either. */
export function dockerEndpoint(parts: DockerParts): DockerEndpoint {
  const { scheme, host, path } = parts;
  return {
    ...parts,
    base: `${scheme}://${host}${path}`,
    reachable: host !== '',
    httpsFirst: false,
    headers: new Map(),
    dialTimeoutMs: 30_000,
  };
}

/** One mirror of daemon.json: `https://m.example/hub/` → scheme `https`, host `m.example`, path `/hub`. */
export interface NamedMirror {
  readonly scheme: string;
  readonly host: string;
  /** Without a slash at its end; may be empty. */
  readonly path: string;
  /** The same as it is written, with its escapes: what the classic store asks for. */
  readonly writtenPath: string;
  /** As the daemon keeps it: `https://m.example/hub/`. */
  readonly url: string;
  readonly origin: Origin;
}

/** The mirrors of a file without faults, each once, in order. Source: registry/config.go, loadMirrors. */
export function mirrorsOf(file: DaemonFile): readonly NamedMirror[] {
  const seen = new Set<string>();
  return file.settings['registry-mirrors'].flatMap((text, index) => {
    const checked = validateMirror(text, { has: () => true });
    if (!checked.ok || seen.has(checked.url)) return [];
    seen.add(checked.url);
    const parsed = parseGoUrl(checked.url);
    if (!parsed.ok) return [];
    const { scheme, host, path, writtenPath: written } = parsed.url;
    const writtenPath = written.replace(/\/+$/, '');
    const origin = file.originOf(itemSpan(file.root, 'registry-mirrors', index));
    return [
      { scheme, host, path: path.replace(/\/+$/, ''), writtenPath, url: checked.url, origin },
    ];
  });
}

/**
 * The mirrors as the containerd store takes them: one without a host, `https:///hub/`, is read as if it had no
 * scheme either, and its host becomes `https:`. `scheme` is that of the registry itself.
 * Sources: moby/moby daemon/hosts.go, mirrorsToRegistryHosts; buildkit's resolver before 28.
 */
export function storeMirrors(
  mirrors: readonly NamedMirror[],
  scheme: string,
): readonly NamedMirror[] {
  return mirrors.map((mirror) => {
    if (mirror.host !== '') return mirror;
    const parsed = parseGoUrl(`dummy://${mirror.url}`);
    return parsed.ok
      ? { ...mirror, scheme, host: parsed.url.host, path: parsed.url.path.replace(/\/+$/, '') }
      : mirror;
  });
}

/** True when certificates of this host do not matter. */
export type IsInsecure = (host: string) => boolean;

/** Decides it by the file and by what the node knows of addresses. */
export function insecureBy(
  settings: DaemonSettings,
  addressesOf: AddressesOf,
  behaviour: Pick<DockerBehaviour, 'has'>,
): IsInsecure {
  const insecure = settings['insecure-registries'];
  const implied = impliedNetworks[behaviour.has('loopback-of-ipv6') ? 'since 28' : 'before 28'];
  return (host) => !isSecureHost(host, insecure, addressesOf, implied);
}

/** Says whether a host is insecure by its name alone, whatever its addresses are. */
export function namedInsecureBy(settings: DaemonSettings): IsInsecure {
  return (host) =>
    !isSecureHost(host, settings['insecure-registries'].filter(isName), () => [], []);
}

function isName(text: string): boolean {
  const read = readInsecureEntry(text);
  return read.ok && read.kind === 'name';
}

/** No check at all, and no certificates: an insecure host's folder in certs.d is not even opened. */
export const unchecked: EndpointTrust = { ca: [], clients: [], skipVerify: true };

/** True for the only registry that registry-mirrors are for. */
export function isHubName(registry: string): boolean {
  return registry === HUB;
}

/** `?ns=` for an endpoint that is not the registry itself, as containerd's image store sends it. */
export function nsFor(registry: string, host: string): { readonly ns?: string } {
  return registry === host || upstreamHost(registry) === host ? {} : { ns: registry };
}
